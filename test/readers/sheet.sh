# shellcheck shell=bash disable=SC2034,SC2154
#
# sheet.sh - pages of dots on their sheets, and the commands that printers get
# of them; to be sourced behind tap.sh.
#
# SPDX-License-Identifier: Apache-2.0

# sheet WIDTH HEIGHT LEFT TOP - options of make-raster: a sheet in points, and
# where on it the raster begins.
sheet() {
    echo "--set PageSize[0]=$1 --set PageSize[1]=$2 --set cupsPageSize[0]=$1 \
        --set cupsPageSize[1]=$2 --set cupsImagingBBox[0]=$3 \
        --set cupsImagingBBox[1]=1 --set cupsImagingBBox[2]=$1 \
        --set cupsImagingBBox[3]=$(($2 - $4))"
}

# say LANGUAGE JOB - its commands, a line each, to "said": printer-commands.
say() { "$top_srcdir/test/readers/printer-commands" "$1" "$2" >said; }

# sent COMMAND... - these are in "said", in this order, each in whole.
sent() {
    printf '%s\n' "$@" | awk '
        FNR == NR { wanted[++count] = $0; next }
        count > at && $0 == wanted[at + 1] { at++ }
        END { if (at < count) { print "not sent: " wanted[at + 1]; exit 1 } }
        ' - said || { head -40 said; return 1; }
}

# sent_times NUMBER COMMAND - so often.
sent_times() { [ "$(grep -cxF -- "$2" said)" -eq "$1" ] || ! cat said; }

# not_sent EXPRESSION - no command is like that.
not_sent() { ! grep -xE -- "$1" said; }
