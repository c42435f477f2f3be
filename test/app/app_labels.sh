# shellcheck shell=bash disable=SC2154
#
# app_labels.sh - what label printers of the application are asked besides dots;
# to be sourced behind app_dots.sh.
#
# SPDX-License-Identifier: Apache-2.0

# label_sheets PRINTER - "203.pwg" and "300.pwg" of the size that sends() asks
# for; the printer is one of labels.
label_sheets() {
    sheet "$1" 203x203 --space SW --content noise >203.pwg
    sheet "$1" 300x300 --space SW --content noise >300.pwg
}

# commands FILE - of the one label of a job; what comes behind it after "|".
commands() {
    reads "$(of_family "${1##*.}" writer)" --pages "$1" |
        sed -E 's/^page [0-9]+: lines [0-9]+, //; s/^after: /| /' |
        tr '\n' ' ' | sed 's/ $//'
}
# sends PRINTER COMMANDS [OPTION...] - a job of the size of sheet() does.
sends() {
    local printer=$1 file=203.pwg option options=()
    [ "$(of_family "$printer" dpi)" = 203x203 ] || file=300.pwg
    for option in "${@:3}"; do options+=(-o "$option"); done
    rm -f "paper/$file.$printer"
    submit_and_wait "$printer" "$file" -o media=om_label_50x30mm \
        ${options[@]+"${options[@]}"} &&
        commands "paper/$file.$printer" >said &&
        echo "$2" | diff - <(cat said; echo)
}
# asks PRINTER COMMANDS [OPTION...]
asks() { ok "$1: ${*:3}" sends "$@"; }

# sets PRINTER COMMANDS NAME=VALUE... - jobs of a printer that is set so send
# these, and the printer says so.
sets() {
    local option options=()
    for option in "${@:3}"; do options+=(-o "$option"); done
    app modify -d "$1" "${options[@]}" && sends "$1" "$2"
}
modifies() { ok "$1 is set to ${*:3}" sets "$@"; }
