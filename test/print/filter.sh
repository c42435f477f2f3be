# shellcheck shell=bash disable=SC2034,SC2119,SC2120
#
# filter.sh - runs the filter alone, in a temporary folder that becomes the
# current one: rasters from make-raster, what the filter makes of them, and the
# filter in the background. To be sourced behind "set -u", in the build folder.
#
# SPDX-License-Identifier: Apache-2.0

. "${top_srcdir:-${BASH_SOURCE[0]%/test/*}}/test/tap.sh"
make_raster=$top_builddir/test/make-raster
filter=$top_builddir/filter/rastertohalftone
preview=$top_builddir/tools/raster-preview
unset PPD FINAL_CONTENT_TYPE CONTENT_TYPE CUPS_DATADIR CUPS_SERVERROOT

# A sanitizer's exit status must not look like a refusal.
for variable in ASAN_OPTIONS UBSAN_OPTIONS; do
    printf -v $variable '%s' \
        "${!variable:+${!variable}:}exitcode=99:halt_on_error=1"
    export ${variable?}
done
sanitized=false
grep -qaE '__(asan|ubsan|tsan|msan)_' "$filter" && sanitized=true

tmp=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
mkdir tmpdir
export TMPDIR=$tmp/tmpdir

more_trouble() { echo "exit ${status-}"; head -5 log; }

for program in "$make_raster" "$filter" "$preview"; do
    if [ ! -x "$program" ]; then
        echo "Bail out! $program is missing"
        exit 1
    fi
done

# ---- Running it -----------------------------------------------------------

# raster ARGUMENT... - makes "in"; pages are added to it by more ones.
raster() { "$make_raster" "$@" >in; }
more() { "$make_raster" --no-sync "$@" >>in; }

# run [OPTIONS [NAME=VALUE...]] - "in" to "out", messages to "log".
run() {
    local options=${1-}
    shift
    env "$@" timeout 600 "$filter" 1 user title 1 "$options" <in >out 2>log
    status=$?
}

exits() { [ "$status" -eq "$1" ]; }
said() { grep -aE "$1" log; }
# errors N - that many lines for the user, whatever the job had in it.
errors() { [ "$(grep -ac '^ERROR: ' log)" -eq "$1" ]; }

works() { run "$@"; all "exits 0" "errors 0"; }
fails() { run "$@"; all "exits 1" "errors 1"; }

# Nothing for the printer.
refuses() { fails "$@" && [ ! -s out ]; }

# Arguments of make-raster and of env.
orders='chunked banded planar'
pwg=FINAL_CONTENT_TYPE=image/pwg-raster

# ---- What came out --------------------------------------------------------

headers() { "$make_raster" --dump-headers out; }

# header TEXT - a line about a page of "out" says TEXT.
header() { headers >said && cat said && grep -qF -- "$1" said; }

# Whole pages, so many of them.
pages() { headers >said && [ "$(wc -l <said)" -eq "$1" ]; }

dots() { "$make_raster" --dump-dots "${1-out}"; }

# keep NAME, same NAME - compares the dots of two runs, whatever their order
# in the raster is.
keep() { dots >"$1"; }
same() { dots >found && cmp "$1" found; }
other() { dots >found && ! cmp -s "$1" found; }

# covers PERCENT... - of each ink of page 1, in the order of the samples; one
# number is for all of them.
covers() {
    local got wanted=("$@") tolerance i
    "$preview" --no-png out >said && cat said || return
    read -r -a got < <(sed '1!d; s/.* coverage//; s/[A-Z%]//g' said)
    [ $# -ne 1 ] || wanted=("${got[@]/*/$1}")
    [ ${#got[@]} -gt 0 ] && [ ${#got[@]} -eq ${#wanted[@]} ] || return
    for i in "${!got[@]}"; do
        case ${wanted[i]} in
            0 | 100) tolerance=0 ;; # bare paper and solid ink are exact
            *) tolerance=1 ;;
        esac
        near "${got[i]}" "${wanted[i]}" $tolerance || return
    done
}

# page_lines COPIES... - one line a page, nothing else that counts.
page_lines() {
    local copies number=0
    for copies; do
        number=$((number + 1))
        echo "PAGE: $number $copies"
    done >expected
    grep -a '^PAGE: ' log | diff expected -
}

# A noisy page whose lines become 8 bytes of dots; "whole" is what becomes of
# it when nothing goes wrong.
big='--content noise --width 64 --height 1000'
make_whole() {
    # shellcheck disable=SC2086
    raster $big
    works
    cp out whole
}
offset() { echo $((4 + 1796 + 8 * $1)); } # of a line
white_from() { # LINE - to the end of the page, 8 bytes a line
    [ "$(tail -c +$(($(offset "$1") + 1)) out | tr -d '\0' | wc -c)" -eq 0 ]
}

# No temporary files.
nothing_left() { [ -z "$(ls -A tmpdir)" ]; }

# ---- In the background ------------------------------------------------------

# start ARGUMENT... - the filter reads what make-raster writes, in the
# background.
start() {
    rm -f pipe out log
    mkfifo pipe
    "$make_raster" "$@" >pipe &
    maker=$!
    # "environment" is a list for env.
    # shellcheck disable=SC2086
    env ${environment-} "$filter" 1 user title 1 "${options-}" <pipe >out 2>log &
    pid=$!
}

# Is the process the filter by now, and does it catch SIGTERM?
catches() {
    local mask
    [ "/proc/$pid/exe" -ef "$filter" ] || return
    mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$pid/status" 2>/dev/null)
    [ -n "$mask" ] && [ $((16#$mask >> 14 & 1)) = 1 ]
}
grown() { [ -e out ] && [ "$(stat -c %s out)" -ge "$1" ]; }

# note_work NAME - sets it to the processors' ms of the processes that have
# ended, as "times" says in its second line: 0m0.010s 0m0.002s.
note_work() {
    times >work
    printf -v "$1" %s "$(awk -F'[ms ]+' 'NR == 2 {
        print int(60000 * ($1 + $3) + 1000 * ($2 + $4))
    }' work)"
}

# Sends SIGTERM and waits; `took` is the time in ms, `worked` the processors'
# time in this, as far as ticks of the clock tell.
cancel() {
    local from before after stat
    note_work before
    from=${EPOCHREALTIME/./}
    read -r -a stat <"/proc/$pid/stat"
    kill -TERM "$pid"
    wait "$pid"
    status=$?
    took=$(((${EPOCHREALTIME/./} - from) / 1000))
    note_work after
    worked=$((after - before - (stat[13] + stat[14]) * 10)) # 100 ticks a second
    kill "$maker" 2>/dev/null
    wait "$maker" 2>/dev/null
    return 0
}

limit=200 # ms of a processor
$sanitized && limit=3000

# canceled READY ARGUMENT... - starts, cancels when READY, a command, is true.
# The end takes little work, and nothing is waited for; a busy machine may take
# its time.
canceled() {
    local ready=$1
    shift
    start "$@"
    within 60 catches && within 60 eval "$ready"
    cancel
    echo "$took ms, $worked ms of a processor"
    exits 0 && [ $worked -le $limit ] && [ $took -le "$(patience $((50 * limit)))" ]
}
time_taken() { echo "# SIGTERM to exit: $took ms, of a processor $worked"; }

quiet() { all "errors 0" "! said ^WARNING"; }

# listeners - the threads that SIGTERM can interrupt, in the middle of a page.
listeners() {
    local mask task tasks count=0
    # shellcheck disable=SC2086
    start $big --pause-after $((1800 + 64 * 600))
    within 60 grown "$(offset 500)" || return
    sleep 0.1
    tasks=("/proc/$pid/task/"*)
    for task in "${tasks[@]}"; do
        mask=$(sed -n 's/^SigBlk:[[:space:]]*//p' "$task/status")
        [ $((16#$mask >> 14 & 1)) = 1 ] || count=$((count + 1))
    done
    cancel
    echo "${#tasks[@]} threads, $count of them listen"
    [ ${#tasks[@]} -ge 3 ] && [ $count = 1 ]
}
