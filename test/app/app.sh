# shellcheck shell=bash disable=SC2034,SC2119,SC2120,SC2154
#
# app.sh - a server of the printer application of the test's own, in a temporary
# folder that becomes the current one, with its printers and jobs; to be sourced
# behind tap.sh. At the test's end all is gone: the server, the processes in
# "children", the folder.
#
# Nothing of the system is touched, whoever runs the test: for root, too, the
# state and the socket of the commands are in the folder, since PAPPL keeps them
# where SNAP_COMMON says. There is no D-Bus, and so no DNS-SD.
#
# SPDX-License-Identifier: Apache-2.0

app_program=$top_builddir/printer-app/halftone-printer-app
make_raster=$top_builddir/test/make-raster
samples=$top_srcdir/doc/samples
[ -x "$app_program" ] || skip_all "the printer application is not built"
needs ipptool

tmp=$(mktemp -d)
children=()
app_pid=
finish() {
    set -- ${app_pid:+"$app_pid"} ${children[@]+"${children[@]}"}
    [ $# -eq 0 ] || { end_children KILL "$@"; wait "$@"; } 2>/dev/null
    rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' INT TERM
cd "$tmp" || exit 1

# Where PAPPL and the application keep things. "paper" is what printers get.
mkdir -p home config state run tmpdir paper data/rastertohalftone
cp "$top_srcdir/halftone/tables/profiles/generic.icc" "$top_srcdir/halftone/tables/drops" \
    data/rastertohalftone
cp -R "$top_builddir/printer-app/strings" "$top_srcdir/printer-app/web/style.css" \
    "$samples/chart.pdf" "$top_srcdir/printer-app/service/self-test" data
unset PAPERSIZE LC_PAPER
export PAPERCONF=/dev/null # not the computer's
unset PPD CUPS_SERVERROOT CUPS_SERVERBIN CUPS_DATADIR CUPS_SERVER CUPS_USER
export HOME=$tmp/home XDG_CONFIG_HOME=$tmp/config STATE_DIRECTORY=$tmp/state \
    SNAP_COMMON=$tmp/run TMPDIR=$tmp/tmpdir HALFTONE_APP_DATADIR=$tmp/data \
    DBUS_SYSTEM_BUS_ADDRESS=unix:path=$tmp/no-bus
app_log=$tmp/app.log
peer=$top_srcdir/test/app/app-peer
state=run/halftone-printer-app.state

# whole_log - PAPPL begins a new log at 1 MiB; a test's polls may fill it.
whole_log() { cat "$app_log.O" "$app_log" 2>/dev/null; }
# logged PATTERN [OPTION...] - the last lines of the log with that, of grep.
logged() { whole_log | grep -a "${@:2}" -e "$1" | tail -5 | grep .; }

more_trouble() { whole_log | grep -aE '^[EW] ' | tail -5; }

# ---- The server -------------------------------------------------------------

# app ARGUMENT... - a command of the application, to the server that runs: one
# that needs a server would start a second one.
app() { timeout 600 "$app_program" "$@" </dev/null; }

app_answers() { : <"/dev/tcp/localhost/$port"; } 2>/dev/null
app_runs() { kill -0 "$app_pid" 2>/dev/null; }
# Port and socket: it answers at the port before it knows its printers.
app_is_ready() {
    ! app_runs || { app_answers && app status | grep -q '^Running'; }
}

# start_app [NAME=VALUE...] - with that in its environment, and "app_options"
# last, if they are set. In "port" is where it listens, in "uri" what its
# printers' addresses begin with, in "app_pid" its process. Says all in
# "app_log", or as much as "app_log_level" lets it. With HALFTONE_TEST_TLS in
# the environment all is done by TLS. Of a start that failed, such as at a port
# that somebody took just then, nothing stays in "app_log".
start_app() {
    local attempt said security=no-tls scheme=ipp
    [ -z "${HALFTONE_TEST_TLS-}" ] || security='' scheme=ipps
    for attempt in 1 2 3 4; do
        choose_port
        said=$(stat -c %s "$app_log" 2>/dev/null || echo 0)
        env "$@" "$app_program" server -o server-port="$port" \
            -o listen-hostname=localhost -o server-options=$security \
            -o log-file="$app_log" -o log-level="${app_log_level:-debug}" \
            ${app_options[@]+"${app_options[@]}"} </dev/null >>app.out 2>&1 &
        app_pid=$!
        uri=$scheme://localhost:$port/ipp/print
        within 60 app_is_ready && app_runs && return 0
        kill_app
        uri=
        tail -c +$((said + 1)) "$app_log" >>app.out
        truncate -s "$said" "$app_log"
    done
    tail -5 app.out
    return 1
}

# PAPPL 1.3 looks whether it is to end when somebody connects, or after 30 s.
app_is_gone() { ! app_runs || { app_answers && false; }; }

# serves PRINTER[=DRIVER]... - starts with these printers; a driver is named as
# its printer if it is not named.
serves() {
    local printer
    start_app || return
    for printer; do
        add_printer "${printer%%=*}" "${printer#*=}" || return
    done
}
restart() { stop_app && start_app; }

# stop_app - as its user does; it ends with status 0. PAPPL gives jobs a minute.
stop_app() {
    local status
    app shutdown && within 90 app_is_gone || return 1
    wait "$app_pid"
    status=$?
    app_pid=
    return $status
}

# kill_app - as a loss of power does.
kill_app() {
    [ -n "$app_pid" ] || return 0
    kill -KILL "$app_pid"
    wait "$app_pid"
    app_pid=
} 2>/dev/null

# ---- Printers and jobs ------------------------------------------------------

# add_printer NAME DRIVER [DEVICE] - prints to the files paper/JOBNAME.NAME if
# not to DEVICE.
add_printer() {
    app add -d "$1" -m "$2" -v "${3:-file://$tmp/paper?ext=$1}"
}

# add_peer NAME DRIVER [BYTES] - prints to app-peer, with the folder NAME.
add_peer() {
    mkdir -p "$1"
    "$peer" printer "$1" "${@:3}" & children+=($!)
    within 10 [ -s "$1/port" ] &&
        add_printer "$1" "$2" "socket://127.0.0.1:$(cat "$1/port")"
}

ipptool=(timeout 600 ipptool)
# ask [OPTION VALUE]... TARGET OPERATION [LINE...] - by ipptool with these
# options, a request with these lines behind the target; it succeeds unless a
# line has another STATUS. TARGET is a printer, "system" or an address. Prints
# attributes as "name (type) = value".
ask() {
    local options=() of=printer at
    while [[ $1 == -* ]]; do
        options+=("$1" "$2")
        shift 2
    done
    case $1 in
        *://*) at=$1 ;;
        system) of=system at=${uri%/print}/system ;;
        *) at=$uri/$1 ;;
    esac
    [[ "${*:3}" == *STATUS\ * ]] || set -- "$@" 'STATUS successful-ok'
    "${ipptool[@]}" -tv "${options[@]}" "$at" <(printf '%s\n' \
        "{ OPERATION $2" 'GROUP operation-attributes-tag' \
        'ATTR charset attributes-charset utf-8' \
        'ATTR language attributes-natural-language en' \
        "ATTR uri $of-uri \$uri" "${@:3}" '}') </dev/null
}
# value_of NAME - the last one that an answer to ask() has.
value_of() { sed -n "s/^ *$1 ([^)]*) = //p" | tail -1 | grep .; }

# job_says PRINTER JOB [ATTRIBUTE] - all attributes if none is named.
job_says() {
    ask "$1" Get-Job-Attributes "ATTR integer job-id $2" \
        "ATTR keyword requested-attributes ${3:-all}"
}

# job_state PRINTER JOB - in a word, such as "completed".
job_state() { job_says "$1" "$2" job-state | value_of job-state; }

# is_in_state PRINTER JOB STATE...
is_in_state() {
    local state
    state=$(job_state "$1" "$2")
    case " ${*:3} " in
        *" ${state:-none} "*) return 0 ;;
    esac
    echo "job $2 is ${state:-not known}"
    return 1
}
job_ended() { is_in_state "$1" "$2" completed aborted canceled; }
# message PRINTER JOB TEXT - the job's has it.
message() { job_says "$1" "$2" job-state-message | grep -F -e "$3"; }

# newest PRINTER - in "job" is the number of its newest job, or nothing.
newest() {
    job=$(app jobs -d "$1" | sort -n | sed -n '$s/ .*//p')
    [ -n "$job" ]
}
# ends PRINTER STATE [TEXT] - the last job does, and its message has the text.
ends() {
    within 60 job_ended "$1" "$job" >/dev/null &&
        is_in_state "$1" "$job" "$2" &&
        { [ $# -lt 3 ] || message "$1" "$job" "$3"; }
}
# newest_ends PRINTER STATE [TEXT] - its newest job does.
newest_ends() { newest "$1" && ends "$@"; }

# submit PRINTER FILE [OPTION...] - of the command; in "job" is its number, also
# if the job is aborted already when the command ends. An earlier job's file of
# that name makes room: the printer would take another name.
submit() {
    local answer
    rm -f "paper/${2##*/}.$1"
    if answer=$(app submit -d "$1" "${@:3}" "$2" 2>&1); then
        job=${answer##*-}
    else
        echo "$answer" >&2
        job=$(sed -n 's/.*: Job \([0-9]*\) is aborted: .*/\1/p' <<<"$answer")
    fi
    [ -n "$job" ]
}

# device_closed PRINTER JOB - PAPPL 1.3 lets go of a file after the job's end,
# and crashes if the next job has begun meanwhile.
device() { grep -qasF "[Printer $1] $3 device for job $2." "$app_log" "$app_log.O"; }
device_closed() { device "$@" Closing; }
# is_over PRINTER JOB - and has let go of its device, if it had one. The log is
# quicker to ask than the server.
is_over() { device_closed "$@" || { ! device "$@" Opening && job_ended "$@"; }; }

# submit_and_wait PRINTER FILE [OPTION...] - until the job is over; true if it
# was completed.
submit_and_wait() {
    submit "$@" && within 60 is_over "$1" "$job" >/dev/null &&
        is_in_state "$1" "$job" completed
}

# said TEXT - the log of the last job says TEXT, a regular expression.
said() { logged "\[Job $job\].* $1" -E; }

# printer_says PRINTER ATTRIBUTE - its value, those of a set with commas.
printer_says() {
    ask "$1" Get-Printer-Attributes "ATTR keyword requested-attributes $2" |
        value_of "$2"
}
is_listed() { app printers | grep -qx "$1"; }

# complains TEXT ARGUMENT... - the command fails with status 1, after one line
# that has the text.
complains() {
    app "${@:2}" >said 2>&1
    local status=$?
    cat said
    [ $status -eq 1 ] && [ "$(wc -l <said)" -eq 1 ] && grep -qF -e "$1" said
}

# ---- Web pages --------------------------------------------------------------

# page PATH [OPTION...] - by curl with these options.
page() { curl -sk -m 600 "http${HALFTONE_TEST_TLS:+s}://localhost:$port$1" "${@:2}"; }
# token PATH - that of the forms there.
token() {
    page "$1" | sed -nE 's/.*name="session" value="([^"]*)".*/\1/p' | head -1
}
