# shellcheck shell=bash disable=SC2034,SC2154
#
# servers.sh - print servers in a network of the test's own, each in a network
# namespace with an address, all at one bridge; to be sourced behind tap.sh, in
# a temporary folder that becomes the current one. A server is a folder here,
# and its papers are those in "paper/SERVER", a file for each print, by the job's
# title. At the test's end all is gone, but for logs, spools and papers if there is
# a folder KEEP for them.
#
# SPDX-License-Identifier: Apache-2.0

needs unshare ip
apart=(unshare --mount --net --pid --fork --kill-child --mount-proc)
if [ -z "${HALFTONE_TEST_NETWORK-}" ]; then
    "${apart[@]}" bash -c 'mount -t tmpfs none /run && ip netns add probe &&
        ip link add bridge type bridge && ip link add probe type veth peer \
            name eth0 netns probe && ip netns exec probe true' 2>/dev/null ||
        skip_all "no network of the test's own can be made here, or not by you"
    export HALFTONE_TEST_NETWORK=yes
    exec "${apart[@]}" bash "$0" "$@"
fi

PATH=$PATH:/usr/sbin # there Debian keeps cupsd
needs cupsd lp lpadmin lpstat cupsenable ppdc gs
needs_filters pdftopdf gstoraster
filter=$top_builddir/filter/rastertohalftone
make_raster=$top_builddir/test/make-raster
samples=$top_srcdir/doc/samples

tmp=$(mktemp -d)
declare -A address=() # of servers
finish() {
    local server
    for server in "${!address[@]}"; do
        kill_server "$server"
    done
    [ -z "${KEEP-}" ] || cp -a --no-target-directory "$tmp" "$KEEP/$(basename "$tmp")"
    grep -o "$tmp/[^ ]*" /proc/mounts | xargs -r umount -l
    rm -rf "$tmp"
}
trap finish EXIT
trap 'exit 1' INT TERM
chmod a+x "$tmp"
cd "$tmp" || exit 1

# ---- The network ------------------------------------------------------------

# network - a bridge, at which the test itself is a computer.
network() {
    mount -t tmpfs none /run && ip link set lo up &&
        ip link add shop type bridge && ip addr add 192.0.2.254/24 dev shop &&
        ip link set shop up
}

# computer NAME - one more at the bridge.
computer() {
    address[$1]=192.0.2.$((${#address[@]} + 1))
    ip netns add "$1" &&
        ip link add "$1" type veth peer name eth0 netns "$1" &&
        ip link set "$1" master shop up && ip -n "$1" link set lo up &&
        ip -n "$1" addr add "${address[$1]}/24" dev eth0 &&
        ip -n "$1" link set eth0 up
}

# at COMPUTER COMMAND...
at() { ip netns exec "$@"; }
cut_off() { ip link set "$1" down; }
connect() { ip link set "$1" up; }

# signal_server SIGNAL NAME - to all of it.
signal_server() {
    local processes
    processes=$(ip netns pids "$2")
    # shellcheck disable=SC2086 # numbers
    kill "-$1" $processes
}
# kill_server NAME - all of it at once, as a loss of power does.
kill_server() {
    local processes
    while processes=$(ip netns pids "$1") && [ -n "$processes" ]; do
        # shellcheck disable=SC2086 # numbers
        kill -KILL $processes
    done 2>/dev/null
    true
}

# ---- CUPS -------------------------------------------------------------------

# cups_programs - what all cupsd have in common, in "cups". A printer
# "paper:/FOLDER" is there: a job is the file FOLDER/TITLE.NUMBER, or part.NUMBER
# while it prints, for which it takes as long as FOLDER/hold is there.
cups_programs() {
    "$top_srcdir/test/print/private-cups" cups "$filter" "$top_srcdir/ppd" ||
        return
    mkdir backends
    find "$serverbin/backend/" -mindepth 1 -exec ln -s -t backends {} + &&
        rm cups/bin/backend && mv backends cups/bin/backend || return
    cat >cups/bin/backend/paper <<'SH' && chmod 0755 cups/bin/backend/paper
#!/bin/sh
[ $# -gt 0 ] || exit 0
cd "${DEVICE_URI#paper:}" && cat >"part.$$" || exit
while [ -e hold ]; do
    sleep 0.1
done
mv "part.$$" "$3.$$"
SH
}

# cups NAME - a server on a computer of its own, or again after its end.
cups() {
    [ -n "${address[$1]-}" ] || computer "$1" || return
    mkdir -p "$1" "paper/$1" && chmod 1777 "paper/$1" &&
        { cat cups/cups-files.conf &&
            echo "SetEnv GS_OPTIONS -sBandListStorage=memory"; } \
            >"$1/cups-files.conf" && cat >"$1/more.conf" <<CONF && \
        at "$1" "$top_srcdir/test/print/private-cupsd" start "$1" \
            "${address[$1]}" >/dev/null
Listen localhost:631
DirtyCleanInterval 0
MaxJobTime 0
CONF
}
ask() { CUPS_SERVER=${address[$1]} "${@:2}"; }

# ---- The printer application ---------------------------------------------------

# application NAME - likewise. Its temporary files are on another disk than its
# spool: without room for these a job that is being rendered is aborted.
application() {
    local folder=$tmp/$1
    [ -n "${address[$1]-}" ] || computer "$1" || return
    mkdir -p "$folder"/{data/rastertohalftone,state,run} "paper/$1" \
        "temporary/$1" &&
        cp "$top_srcdir/halftone/tables/profiles/generic.icc" "$folder/data/rastertohalftone" &&
        cp -R "$top_builddir/printer-app/strings" \
            "$top_srcdir/printer-app/web/style.css" "$samples/chart.pdf" \
            "$folder/data" || return
    app "$1" server -o server-port=8631 -o "listen-hostname=${address[$1]}" \
        -o server-options=no-tls -o "log-file=$folder/log" -o log-level=info \
        </dev/null >>"$folder/output" 2>&1 &
    within 60 application_answers "$1"
}
application_answers() {
    : <"/dev/tcp/${address[$1]}/8631" && app "$1" status | grep -q '^Running'
} 2>/dev/null

# app NAME ARGUMENT... - a command, there.
app() {
    at "$1" env -u CUPS_SERVER HOME="$tmp/$1" XDG_CONFIG_HOME="$tmp/$1" \
        STATE_DIRECTORY="$tmp/$1/state" SNAP_COMMON="$tmp/$1/run" \
        TMPDIR="$tmp/temporary/$1" HALFTONE_APP_DATADIR="$tmp/$1/data" \
        DBUS_SYSTEM_BUS_ADDRESS=unix:path="$tmp/no-bus" \
        "$top_builddir/printer-app/halftone-printer-app" "${@:2}"
}
