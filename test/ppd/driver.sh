# shellcheck shell=bash disable=SC2016,SC2034,SC2154
#
# driver.sh - the driver program for CUPS with driver programs and .drv files of
# the test's own, in "cups", which private-cups has laid out in the current
# folder; to be sourced behind tap.sh.
#
# SPDX-License-Identifier: Apache-2.0

[ -x "$serverbin/daemon/cups-driverd" ] || skip_all "cups-driverd is missing"
rm -rf cups/bin/driver
mkdir cups/bin/driver kept
install "$top_builddir/ppd/driver/halftone" cups/bin/driver
driver=cups/bin/driver/halftone
file=kept/halftone-drivers

sanitized() { grep -qaE '__(asan|ubsan|tsan|msan)_' "$driver"; }

# receipt NAME [BITS] - a PPD of that name, whose RIP renders so many bits.
receipt() {
    sed -e "s/^\*\(NickName\|ModelName\): .*/*\1: \"$1\"/" \
        -e "s/cupsColorSpace 3/&\/cupsBitsPerColor ${2:-1}/" \
        "$top_srcdir/test/ppd/ppds/no-bits.ppd"
}
# program SCHEME MODEL... - a driver program with these models, whose PPDs are
# in the folder of its name; what it is asked for is in "calls". It runs the
# file "SCHEME.before", if there is one.
program() {
    local scheme=$1 model
    shift
    {
        echo '#!/bin/bash'
        echo "{ echo $scheme \$1 >>$tmp/calls; } 2>/dev/null"
        echo "[ ! -e $tmp/$scheme.before ] || . $tmp/$scheme.before"
        echo 'if [ "$1" = list ]; then cat <<LIST'
        for model; do
            echo "\"$scheme:$model\" en \"Test\" \"Test $model\"" \
                "\"MFG:Test;MDL:$model;\""
        done
        echo "LIST"
        echo "else exec cat \"$tmp/$scheme/\${2#*:}\"; fi"
    } >"next.$scheme"
    install "next.$scheme" "cups/bin/driver/$scheme"
}
: >calls
mkdir fake other
receipt "Test good" >fake/good
receipt "Test bad" 8 >fake/bad
receipt "Test third" >other/third
program fake good bad missing
program other third

# Of the .drv files ours alone at first: those of CUPS take seconds.
find cups/share/drv ! -name 'rastertohalftone*' ! -type d -delete
# one_drv BITS - a .drv file with one model.
one_drv() {
    cat >cups/share/drv/one.drv <<DRV
DriverType custom
Manufacturer "Test"
Version 1.0
Filter application/vnd.cups-raster 0 rastertozj
HWMargins 0 0 0 0
#media "w200h200/Square" 200 200
*MediaSize w200h200
ColorDevice No
*Resolution k $1 0 0 0 "300dpi"
{
  ModelName "one"
  PCFileName "one.ppd"
}
DRV
}

# run ARGUMENT... - by itself, not by cupsd; its messages are in "said".
environment=(CUPS_SERVERBIN="$tmp/cups/bin" CUPS_DATADIR="$tmp/cups/share")
run() {
    env "${environment[@]}" CUPS_CACHEDIR="${kept:-$tmp/kept}" "$driver" "$@" \
        2>said
}
# lists MODEL... - the models of test programs that are listed.
lists() {
    run list >listed || return 1
    sed -nE 's/^"halftone:(fake|other|many|slow)[^:]*:([^"]*)".*/\2/p' listed |
        sort | tr '\n' ' ' >models
    cat models
    [ "$(cat models)" = "${*:+$* }" ]
}
# list MODEL... - the same, once all have been judged.
list() { run judge && lists "$@"; }
asked() { grep -c -x "$1" calls; }

# fails_by REASON NAME - one line, no PPD.
fails_by() {
    local status
    run cat "$2" >made.ppd
    status=$?
    cat said
    [ "$status" -eq 1 ] && [ ! -s made.ppd ] && [ "$(wc -l <said)" -eq 1 ] &&
        grep "^ERROR: halftone: .*$1" said
}
