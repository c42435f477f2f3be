# shellcheck shell=bash disable=SC2154
#
# printers.sh - what a PPD says of its printer, so that no test has a list of
# our PPDs; to be sourced behind tap.sh.
#
# SPDX-License-Identifier: Apache-2.0

. "$top_srcdir/test/readers/languages.sh"

# ppds_in FOLDER - the names of the PPDs there, without ".ppd".
ppds_in() { (cd "$1" && printf '%s\n' *.ppd | sed 's/\.ppd$//'); }

# packer PPD_FILE - the filter that ours starts behind itself; nothing if none.
packer() { sed -nE 's/^\*HalftonePacker: "([a-z0-9]+)"$/\1/p' "$1"; }

# is_packed PPD_FILE - a filter behind ours makes the printer's language.
is_packed() { [ -n "$(packer "$1")" ]; }

# language_of PPD_FILE - that its packer makes; nothing if it has none.
language_of() {
    local packer
    packer=$(packer "$1")
    case $packer in
        rastertohp | rastertopcl5) echo pcl ;;
        rastertoepson) echo escp2 ;;
        *) echo "${packer#rasterto}" ;;
    esac
}

# read_job PPD_FILE ARGUMENT... - by the program of test/ that reads this language,
# and refuses others.
read_job() { reads "$(language_of "$1")" "${@:2}"; }

takes_pwg() { grep -q '^\*cupsFilter2: .* image/pwg-raster ' "$1"; }
has_color() { grep -q '^\*ColorDevice: True' "$1"; }

# color_dots PPD_FILE - how the dots of its color lie, as make-raster says it.
color_dots() {
    local order=chunked
    ! is_packed "$1" || order=banded
    # CUPS's numbers of color spaces.
    sed -nE "s/^\*ColorModel CMYK.*cupsColorSpace 6\/.*/CMYK $order/p
        s/^\*ColorModel CMYK.*cupsColorSpace 8\/.*/KCMY $order/p" "$1"
}

# dot_bits PPD_FILE - of its dots.
dot_bits() { grep -q '^\*DefaultHalftoneDrops: Three' "$1" && echo 2 || echo 1; }

# other_resolutions PPD_FILE - those that are not the default.
other_resolutions() {
    local default
    default=$(sed -n 's/^\*DefaultResolution: *//p' "$1")
    sed -nE 's/^\*Resolution ([^/:]+)dpi[/:].*/\1/p' "$1" |
        grep -vxF "${default%dpi}"
}

# tells_paper PPD_FILE - whether its printer is told the kind of paper.
tells_paper() { [[ $(packer "$1") != rastertoe* ]]; }
