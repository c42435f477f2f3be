# shellcheck shell=bash
#
# tap.sh - tests in shell that speak TAP; to be sourced, in the build folder.
# The tests run there by hand as well: .../test/print/filter.test
#
# SPDX-License-Identifier: Apache-2.0

top_srcdir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
top_builddir=$(cd "${top_builddir:-.}" && pwd)
export LC_ALL=C
tests=0

# skip_all REASON - where nothing can be tested.
skip_all() {
    echo "1..0 # SKIP $1"
    exit 0
}

# have PROGRAM... - whether all of them are there. "command -v" of several is true
# if one is.
have() {
    local program
    for program; do
        command -v "$program" >/dev/null || return
    done
}

# needs PROGRAM... - skips all when one is missing.
needs() {
    local program
    for program; do
        have "$program" || skip_all "$program is missing"
    done
}

# needs_filters FILTER... - of CUPS, whose folder is in "serverbin", or of the
# programs that private-cups takes instead.
serverbin=$("$top_srcdir/tools/cups-folder" serverbin)
needs_filters() {
    local program
    for program; do
        [ -x "$serverbin/filter/$program" ] ||
            [ -x "${CUPS_PROGRAMS-}/lib/cups/filter/$program" ] ||
            skip_all "$program is missing"
    done
}

# chunked_dots SPACE - whether libcups reads chunked pages of one bit: CUPS from
# 2.4.17 on refuses those of three colors, and so do we with it.
chunked_dots() {
    local make_raster=$top_builddir/test/make-raster
    "$make_raster" --space "$1" --bits 1 --width 8 --height 1 >probe &&
        "$make_raster" --dump-headers probe >/dev/null 2>&1
}

# What a test may say more when it fails.
more_trouble() { :; }

# end_children SIGNAL PROCESS... - to those that are still the shell's children. The
# number of one that has ended may be another process's by now.
end_children() {
    local child
    for child in "${@:2}"; do
        ! grep -qsx "PPid:[[:space:]]*$$" "/proc/$child/status" ||
            kill -s "$1" "$child"
    done
}

# ok DESCRIPTION COMMAND... - one test; its trouble is what the command said.
ok() {
    local description=$1
    shift
    tests=$((tests + 1))
    if "$@" >trouble 2>&1; then
        echo "ok $tests - $description"
    else
        echo "not ok $tests - $description"
        { echo "failed: $*"; tail -20 trouble; more_trouble; } 2>/dev/null |
            tr -c '\n -~' '?' | cut -c1-300 | sed 's/^/# /'
    fi
}

skip() {
    tests=$((tests + 1))
    echo "ok $tests - $1 # SKIP $2"
}

# all CHECK... - each is a command line.
all() {
    local check
    for check; do
        eval "$check" || { echo "failed: $check"; return 1; }
    done
}

# near GOT WANTED TOLERANCE - numbers.
near() {
    awk -v got="$1" -v wanted="$2" -v tolerance="$3" 'BEGIN {
        print "got " got ", expected " wanted " within " tolerance
        off = got - wanted
        exit got wanted !~ /^[0-9.]+$/ || got == "" || wanted == "" ||
            off > tolerance || off < -tolerance
    }'
}

# patience SECONDS - how many these are where others use the processors, too, and
# TEST_PATIENCE times as many, for what slows a test without their load.
processors=$(nproc)
patience() {
    local load
    read -r load _ </proc/loadavg
    echo $((${TEST_PATIENCE:-1} * $1 * (processors + ${load%.*}) / processors))
}

# within SECONDS COMMAND... - tries until it works, for as long as patience says.
# What else ends a hang alone, such as "timeout", has 600 s.
within() {
    local start=$SECONDS seconds=$1
    shift
    until "$@"; do
        [ $((SECONDS - start)) -lt "$(patience "$seconds")" ] ||
            { echo "too late: $*"; return 1; }
        sleep 0.05
    done
}

# choose_port - puts into "port" one at which nobody listens, below those that
# Linux gives to clients: a client could take one of these in the meantime.
choose_port() {
    while
        port=$((10000 + RANDOM % 22768))
        : <"/dev/tcp/localhost/$port"
    do :; done 2>/dev/null
}

done_testing() { echo "1..$tests"; }
