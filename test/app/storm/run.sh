# shellcheck shell=bash disable=SC2154
#
# run.sh - a program of this folder with the environment of app.sh; to be
# sourced.
#
# SPDX-License-Identifier: Apache-2.0

# run_storm PROGRAM [ARGUMENT...]
run_storm() {
    local program=$1 arguments=("${@:2}") enter=()
    set --
    . "${top_srcdir:-${BASH_SOURCE[0]%/test/*}}/test/tap.sh"
    . "$top_srcdir/test/app/app.sh"
    needs python3
    trap 'keep; finish' EXIT
    # PAPPL's commands end with what they have.
    export ASAN_OPTIONS=detect_leaks=0:${ASAN_OPTIONS-} \
        TSAN_OPTIONS=suppressions=$top_srcdir/test/app/storm/tsan.supp:exitcode=0:${TSAN_OPTIONS-}
    # Disks that it mounts go with it.
    [ "$(id -u)" -ne 0 ] || enter=(unshare -m)
    ${enter[@]+"${enter[@]}"} python3 "$top_srcdir/test/app/storm/$program" "$app_program" \
        "$top_builddir/test/make-picture" \
        ${arguments[@]+"${arguments[@]}"} </dev/null &
    children+=($!)
    wait $!
}

# What the server said, and what gdb says of crashes and hangs.
keep() {
    local file
    [ -n "${STORM_KEEP-}" ] && mkdir -p "$STORM_KEEP" || return 0
    for file in app.log crash-*.txt hang-*.txt stuck.txt; do
        [ ! -e "$file" ] || cp "$file" "$STORM_KEEP"
    done
}
