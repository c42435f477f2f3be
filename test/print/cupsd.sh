# shellcheck shell=bash disable=SC2154
#
# cupsd.sh - a cupsd of the test's own, in the folder "cups" of a temporary
# one that becomes the current folder, with its queues and jobs; to be sourced
# behind tap.sh. At the test's end all is gone: cupsd, the processes in
# "children", the folder.
#
# SPDX-License-Identifier: Apache-2.0

PATH=$PATH:/usr/sbin # there Debian keeps cupsd, cupsfilter and ippeveprinter
needs cupsd cupsfilter lp lpadmin cancel ppdc gs ps2pdf
needs_filters pdftopdf gstoraster rastertohp rastertoepson

tmp=$(mktemp -d)
children=()
finish() {
    [ ! -d "$tmp/cups" ] || "$top_srcdir/test/print/private-cupsd" stop "$tmp/cups"
    [ ${#children[@]} -eq 0 ] || end_children TERM "${children[@]}" 2>/dev/null
    end_orphans
    rm -rf "$tmp"
}
# Ghostscript outlives a gstoraster that is canceled, and the queue waits for
# it. Its environment tells whose it was.
end_orphans() {
    local process
    for process in /proc/[0-9]*; do
        if tr '\0' '\n' 2>/dev/null <"$process/environ" |
            grep -qxF "CUPS_SERVERROOT=$tmp/cups/etc"; then
            kill -9 "${process#/proc/}"
        fi
    done 2>/dev/null
}
trap finish EXIT
trap 'exit 1' INT TERM
chmod a+x "$tmp"
cd "$tmp" || exit 1

if ! "$top_srcdir/test/print/private-cups" cups \
    "$top_builddir/filter/rastertohalftone" "$top_srcdir/ppd"; then
    echo "Bail out! no private server root"
    exit 1
fi
if ! CUPS_SERVER=$("$top_srcdir/test/print/private-cupsd" start cups 2>output); then
    sed 's/^/# /' output
    echo "Bail out! cupsd did not start"
    exit 1
fi
export CUPS_SERVER
mkdir paper # what the printers get

# What the log says of the last job.
more_trouble() {
    grep -aE "^[EW].*\[Job ${job-}\]|\[Job ${job-}\] rasterto" \
        cups/log/error_log | tail -5
}

# queue NAME PPD [DEVICE] - prints to the file "paper/NAME" if not to DEVICE.
queue() {
    lpadmin -p "$1" -E -m "drv:///rastertohalftone.drv/$2.ppd" \
        -v "${3:-file://$tmp/paper/$1}"
}

# finished QUEUE JOB - it is done, or stays where it was stopped.
finished() {
    ! lpstat -W not-completed -o "$1" | grep -q "^$1-$2 " ||
        grep -aE "\[Job $2\] (Job stopped|Stopping job)" cups/log/error_log
}

# submit QUEUE LP_ARGUMENT... - the job's number is in "job". CUPS from 2.4.17 on
# prints to a file only if there is one.
submit() {
    : >"paper/$1"
    job=$(lp -d "$@" | sed -n 's/^request id is .*-\([0-9]*\) .*/\1/p')
    [ -n "$job" ]
}

# print QUEUE LP_ARGUMENT... - until the job has ended.
print() { submit "$@" && within 30 finished "$1" "$job"; }

# said TEXT - the log of the last job says TEXT, a regular expression.
said() { grep -aE "\[Job $job\] .*$1" cups/log/error_log | tail -5 | grep .; }
