# shellcheck shell=bash disable=SC2154
#
# app_dots.sh - what a printer of the application got, as dots, and the dots
# that the filter makes of the same raster; to be sourced behind app.sh.
#
# SPDX-License-Identifier: Apache-2.0

filter=$top_builddir/filter/rastertohalftone
separate_raster=$top_builddir/test/separate-raster

. "$top_srcdir/test/readers/languages.sh"

# families [WORD...] - the names of all families, or of those that are said to
# be these: test/app/test_family.c.
families() {
    sed -n "s/^\([a-z0-9-]*\): .*$*.*/\1/p" "$top_srcdir"/test/app/families/*.txt
}

# of_family NAME WORD - what is said behind the word, up to a comma or a space.
of_family() {
    sed -nE "s/^$1: .*[ ,]$2 ([^ ,;]*).*/\1/p" "$top_srcdir"/test/app/families/*.txt
}

# has_packers - whether all of CUPS's are installed.
has_packers() {
    local program
    for program in rastertohp rastertoepson rastertolabel; do
        [ -x "$serverbin/filter/$program" ] || return 1
    done
}

# unseparated PRINTER - the option without which a printer's colors are not those
# of the filter, which knows no profiles.
unseparated() { ! has_color "$1" || echo halftone-profile=none; }

has_color() { printer_says "$1" color-supported | grep -qx true; }
is_label() { printer_says "$1" printer-kind | grep -q label; }

# sheet PRINTER DPI ARGUMENT... - PWG raster of A6, or of a label, from
# make-raster.
sheet() {
    local size=10500x14800 x=${2%x*} y=${2#*x}
    ! is_label "$1" || size=5000x3000
    "$make_raster" --pwg --dpi "$2" \
        --width $(((${size%x*} * x + 1270) / 2540)) \
        --height $(((${size#*x} * y + 1270) / 2540)) "${@:3}"
}

# paper_of PRINTER - the option for what sheet() makes.
paper_of() {
    if is_label "$1"; then
        echo media=om_label_50x30mm
    else
        echo media=iso_a6_105x148mm
    fi
}

# margins_of PRINTER - left, bottom, right and top in 1/100 mm, where it prints
# not to the edges.
margins_of() {
    local side margins=()
    for side in left bottom right top; do
        margins+=("$(printer_says "$1" "media-$side-margin-supported" |
            tr , '\n' | sort -n | tail -1)")
    done
    local IFS=,
    echo "${margins[*]}"
}

# queue_ppd NAME=VALUE... - a PPD that has these as the queue's own options.
queue_ppd() {
    local choice
    # shellcheck disable=SC2016 # a string of PostScript
    printf '*%s\n' 'PPD-Adobe: "4.3"' 'FormatVersion: "4.3"' \
        'FileVersion: "1"' 'LanguageVersion: English' \
        'LanguageEncoding: ISOLatin1' 'PCFileName: "QUEUE.PPD"' \
        'Manufacturer: "Generic"' 'Product: "(Queue)"' 'ModelName: "Queue"' \
        'ShortNickName: "Queue"' 'NickName: "Queue"' \
        'PSVersion: "(3010.000) 0"' 'LanguageLevel: "3"'
    for choice; do
        printf '*%s\n' "OpenUI *${choice%=*}: PickOne" \
            "Default${choice%=*}: ${choice#*=}" \
            "${choice%=*} ${choice#*=}: \"\"" "CloseUI: *${choice%=*}"
    done
}

# filter_dots PRINTER RASTER [NAME=VALUE...] - by the filter, in "sent", for a
# queue with the printer's mode; "sent.ras" is the raster. COLORS says how it is
# separated, if not as usual. The rows of print heads with pins are filled.
filter_dots() {
    local colors=${COLORS-} content rows sizes
    rows=$(of_family "$1" 'packer [a-z]* [0-9]* [0-9]*')
    [ "${rows:-0}" -gt 0 ] || rows=1
    content=print-content-optimize=$(printer_says "$1" \
        print-content-optimize-default)
    [ -n "$colors" ] || { has_color "$1" && colors=color || colors=gray; }
    sizes=$(of_family "$1" drops)
    # shellcheck disable=SC2086 # none or two
    queue_ppd "HalftoneMode=$(printer_says "$1" halftone-mode-default)" \
        HalftoneBlack=Pure HalftoneCurve=Default \
        ${sizes:+HalftoneDropSizes=$sizes HalftoneDrops=Three} >queue.ppd
    "$separate_raster" "$colors" "$(margins_of "$1")" "$rows" <"$2" \
        >separate.ras &&
        PPD=queue.ppd CUPS_DATADIR=$tmp/data "$filter" 1 user title 1 "$content ${*:3}" \
            <separate.ras >sent.ras 2>filter.log &&
        "$make_raster" --dump-dots sent.ras >sent && return 0
    cat filter.log
    return 1
}

# decode PRINTER FILE - by the reader of its language, in "printed".
decode() {
    local page language
    page=$("$make_raster" --dump-headers sent.ras | head -1)
    case $(of_family "$1" writer) in
        none)
            if [ "$(of_family "$1" packer)" = none ]; then
                "$make_raster" --dump-dots "$2" >printed
                return
            fi
            language=escp2
            ;;
        *) language=$(of_family "$1" writer) ;;
    esac
    reads "$language" --dots "$(awk '{ print $3 }' <<<"$page")" \
        "$(awk '{ print $6 }' <<<"$page")" "$2" >printed || return
    # The larger of two sizes has the code 3: 244 is 0, 1, 3, 3.
    if "$make_raster" --dump-fields sent.ras | grep -q '^cupsInteger.10. *=* *244$'; then
        tr '\003' '\002' <printed >sizes && mv sizes printed
    fi
}

# prints PRINTER RASTER [NAME=VALUE...] [-- NAME=VALUE...] - a job with the
# former options gives the filter's dots with the latter.
prints() {
    local options=() option printer=$1 raster=$2
    shift 2
    while [ $# -gt 0 ] && [ "$1" != -- ]; do
        options+=(-o "$1")
        shift
    done
    shift $(($# > 0))
    for option in "$(paper_of "$printer")" $(unseparated "$printer"); do
        options+=(-o "$option")
    done
    submit_and_wait "$printer" "$raster" "${options[@]}" &&
        filter_dots "$printer" "$raster" "$@" &&
        decode "$printer" "paper/$raster.$printer" && cmp sent printed
}
