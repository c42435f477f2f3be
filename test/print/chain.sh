# shellcheck shell=bash disable=SC2154
#
# chain.sh - documents through the real chain of CUPS with the filter that was
# built; to be sourced behind tap.sh and printers.sh. The tests are in a folder
# of their own, where private_cups has laid "cups" out.
#
# SPDX-License-Identifier: Apache-2.0

filter=$top_builddir/filter/rastertohalftone
preview=$top_builddir/tools/raster-preview
make_raster=$top_builddir/test/make-raster
PATH=$PATH:/usr/sbin # there Debian keeps cupsfilter
needs cupsfilter gs ps2pdf
needs_filters pdftopdf gstoraster

more_trouble() { grep -a '^ERROR' log; cat pages; }

private_cups() {
    "$top_srcdir/test/print/private-cups" cups "$filter" "$top_srcdir/ppd" || {
        echo "Bail out! no private server root"
        exit 1
    }
}

# convert PPD TYPE PDF [NAME=VALUE...] - runs cupsfilter: the result is in
# "out", its pages' preview lines in "pages", the messages in "log".
convert() {
    local ppd=cups/ppd/$1.ppd type=$2 pdf=$3 options=() option
    shift 3
    for option; do
        options+=(-o "$option")
    done
    rm -f out pages log
    cupsfilter -c cups/cups-files.conf -p "$ppd" -m "$type" \
        ${options[@]+"${options[@]}"} "$pdf" >out 2>log &&
        "$preview" --no-png out >pages
}

# by_filter TYPE PPD OPTIONS - halftones the raster "in" of that PPD without
# cupsfilter; TYPE is what leaves in the end.
by_filter() {
    PPD=cups/ppd/$2.ppd FINAL_CONTENT_TYPE=$1 CUPS_DATADIR=cups/share \
        "$filter" 1 user title 1 "$3" in >out 2>log &&
        "$preview" --no-png out >pages
}

# document NAME PAGES POSTSCRIPT - two inches square, so that a page has a
# million dots; the code paints page number n.
document() {
    ps2pdf -dAutoRotatePages=/None - "$1.pdf" <<PS
%!PS
<< /PageSize [144 144] >> setpagedevice
1 1 $2 { /n exch def $3 showpage } for
PS
}

# packed PPD RESOLUTION COLOR_MODEL - the chain to its end, read back by the
# printer's reader, has our dots of what the chain gives us.
packed() {
    local options=(-o "$size" -o Resolution="$2" -o ColorModel="$3")
    convert "$1" application/vnd.cups-raster inks.pdf "$size" \
        Resolution="$2" ColorModel="$3" && mv out in &&
        by_filter application/vnd.cups-halftone-raster "$1" \
            "$size Resolution=$2 ColorModel=$3" &&
        "$make_raster" --dump-dots out >sent &&
        "$make_raster" --dump-headers out >said &&
        cupsfilter -c cups/cups-files.conf -p cups/ppd/"$1".ppd -e \
            -d printer -m printer/printer "${options[@]}" inks.pdf \
            >out 2>log &&
        read_job cups/ppd/"$1".ppd --dots "$(awk '{ print $3 }' said)" \
            "$(awk '{ print $6 }' said)" out >printed && cmp sent printed
}
