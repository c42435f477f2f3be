# shellcheck shell=bash disable=SC2154
#
# languages.sh - the languages of page/pack/, as pack-dots lists them, and their
# readers; to be sourced behind tap.sh.
#
# SPDX-License-Identifier: Apache-2.0

languages_list=$("$top_builddir/test/pack-dots" --list)

# languages [SPACE] - the names of all, or of those that print the color space.
languages() {
    awk -v space="${1-K}" '("," $2 ",") ~ "," space "," { print $1 }' \
        <<<"$languages_list"
}

# of_language NAME COLUMN - what the list says of one.
of_language() {
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' \
        <<<"$languages_list"
}

# reads LANGUAGE ARGUMENT... - the reader of a language: the program that has
# its name, but for those that read several.
reads() {
    local reader=decode-$1
    case $1 in
        pcl3) reader="decode-pcl --configured" ;;
        escp2 | escp2v) reader=decode-escp ;;
    esac
    [ -x "$top_builddir/test/${reader%% *}" ] || reader=decode-label
    # shellcheck disable=SC2086 # a program and its option
    "$top_builddir/test/"$reader "${@:2}"
}
