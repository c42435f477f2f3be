"""A model of a printer's jobs (doc/dev/printer-app.md, "The life of a job"), which
is compared with the server's; and the printer and the server themselves.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import random
import re
import resource
import signal
import socket
import subprocess
import time
from collections import Counter

import ipp
from ipp import Line, value
from printers import own_port
from server import free_port, patience, prepare

NOT_POSSIBLE, NOT_FOUND, NOT_KEPT = 0x0404, 0x0406, 0x0505

CREATED, RECEIVING, HELD, PENDING = "created", "receiving", "held", "pending"
PRINTING, STOPPING = "printing", "stopping"
CANCELED, ABORTED, COMPLETED = "canceled", "aborted", "completed"
WAITS = CREATED, RECEIVING, HELD, PENDING, PRINTING, STOPPING
# IPP's numbers, and which states have a document in the spool.
NUMBER = {CREATED: 4, RECEIVING: 4, HELD: 4, PENDING: 3, PRINTING: 5,
          STOPPING: 5, CANCELED: 7, ABORTED: 8, COMPLETED: 9}
KEPT = HELD, PENDING, PRINTING

ABANDON, MOST_ABANDON = 6, 30  # seconds: client-timeout, and with patience()
TOO_LATE = "No document has come|kept the server waiting"
SOON = 30  # seconds of patience() within which what must happen has happened
FILE_LIMIT = 1 << 20  # bytes of a file, while the disk is not full
MARK = re.compile(rb"\^FXWALK(\d+)\^FS")


class Fault(Exception):
    pass


class Job:
    def __init__(self, number, mark, holds):
        self.number, self.mark, self.holds = number, mark, holds
        self.state, self.why = CREATED, None
        self.made = self.since = time.monotonic()
        self.no_room = False  # for its document, so far
        self.line = self.rest = None  # of a document that comes

    def __repr__(self):
        return f"{self.number} {self.state}"


# ---- A model printer ---------------------------------------------------------


class Printer:
    """At a port of its own; `marks` are those that it got, in order."""

    def __init__(self):
        self.marks, self.port, self.server = [], own_port(), None
        self.lines = set()

    async def here(self):
        self.server = await asyncio.start_server(
            self.serve, ipp.ADDRESS, self.port, reuse_address=True)

    async def away(self):
        self.server.close()
        for line in list(self.lines):
            line.close()
        await self.server.wait_closed()
        self.server = None

    async def serve(self, reader, writer):
        data = b""
        self.lines.add(writer)
        try:
            while more := await reader.read(65536):
                data += more
                found = None
                for found in MARK.finditer(data):
                    self.marks.append(int(found[1]))
                data = data[found.end() if found else -40:]
        except (ConnectionError, asyncio.CancelledError):
            pass
        self.lines.discard(writer)
        writer.close()


# ---- The server --------------------------------------------------------------


class Server:
    """Files can have FILE_LIMIT bytes, or none while the disk is full."""

    def __init__(self, program, level):
        self.program, self.port, self.level = program, free_port(), level
        self.process = self.log = None

    async def start(self):
        if self.log is None:  # a pipe, which has no limit
            self.log = subprocess.Popen(
                ["tee", "-a", "app.log"], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL)

        self.abandon = min(MOST_ABANDON, int(patience(ABANDON)))

        def before():
            prepare()
            resource.setrlimit(resource.RLIMIT_FSIZE,
                               (FILE_LIMIT, resource.RLIM_INFINITY))

        self.process = await asyncio.create_subprocess_exec(
            self.program, "server", "-o", f"server-port={self.port}",
            "-o", "listen-hostname=localhost", "-o", "server-options=no-tls",
            "-o", "log-file=-", "-o", "log-level=" + self.level,
            "-o", f"client-timeout={self.abandon}",
            stdin=subprocess.DEVNULL, stdout=self.log.stdin,
            stderr=self.log.stdin, preexec_fn=before)
        begun = time.monotonic()
        while (self.process.returncode is None and
               time.monotonic() - begun < patience(SOON)):
            if socket.socket().connect_ex((ipp.ADDRESS, self.port)) == 0:
                return
            await asyncio.sleep(0.05)
        raise Fault(f"no start: status {self.process.returncode}")

    def disk(self, is_full):
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE,
                         (0 if is_full else FILE_LIMIT,
                          resource.RLIM_INFINITY))

    async def end(self, how):
        self.process.send_signal(how)
        status = await asyncio.wait_for(self.process.wait(), patience(SOON))
        if how == signal.SIGTERM and status != 0:
            raise Fault(f"the server ended with status {status}")

    async def command(self, *words):
        done = await asyncio.create_subprocess_exec(
            self.program, *words, stdin=subprocess.DEVNULL)
        return await done.wait() == 0


# ---- A printer's jobs --------------------------------------------------------


class Model:
    def __init__(self, name, seed, server, spool):
        self.name, self.server, self.spool = name, server, spool
        self.chance = random.Random(f"{seed} {name}")
        self.device = Printer()
        self.jobs, self.ended = [], []  # those of now; some of the last ended
        self.expected = []  # marks, in the order of printing
        self.seen = 0  # marks of the device that are looked at
        self.paused = self.holds_new = self.full = False
        self.kept = None  # what a kill leaves, while the disk is full
        self.marks = self.id = 0
        self.line = None
        self.told = []  # the last steps
        self.counts = Counter()

    # ---- Requests ----

    async def ask(self, operation, *attributes, job=b"", data=b"", line=None):
        body = ipp.request(operation, self.name, self.who(), *attributes,
                           job=job) + data
        for again in True, False:
            if line is None and self.line is None:
                self.line = await Line(self.server.port).__aenter__()
            try:
                return await asyncio.wait_for(
                    (line or self.line).ask(self.name, body), patience(SOON))
            except (OSError, EOFError):
                # The server may have closed it since its last answer.
                self.line = None
                if not again or line is not None:
                    raise Fault("no answer")
            except asyncio.TimeoutError:
                raise Fault("no answer in time")

    user = "walk"

    def who(self):
        return value(ipp.NAME, "requesting-user-name", self.user)

    async def of_job(self, operation, job, *more, **data):
        return await self.ask(
            operation, value(ipp.INTEGER, "job-id", job.number), *more, **data)

    def expect(self, status, *wanted):
        """Whether a request was taken; `wanted` are its statuses: 0 that it
        is."""
        if status not in wanted:
            raise Fault(f"answered {status:#06x}, not "
                        + " or ".join(f"{one:#06x}" for one in wanted))
        return status < 0x400

    def document(self, job, large=False):
        return (b"^XA^FXWALK%d^FS\n" % job.mark +
                b"^FX" + b"-" * (FILE_LIMIT + 9000 if large else 60) +
                b"^FS^XZ\n")

    def changed(self, answer, may=True):
        """Whether a request has changed something, as it should: on a full
        disk nothing is changed, or it is not kept, which is said."""
        status, groups = answer
        if self.full and status == NOT_KEPT and ipp.first(
                groups, "status-message").startswith("Nothing is changed"):
            return False
        self.expect(status, NOT_POSSIBLE if not may else
                    NOT_KEPT if self.full else 0)
        return may

    def room(self, status):
        """What is answered to what needs room on the disk."""
        return ipp.BUSY if self.full else status

    def pick(self, *states):
        jobs = [job for job in self.jobs + self.ended if job.state in states]
        return self.chance.choice(jobs) if jobs else None

    def any_job(self):
        return self.pick(*NUMBER) if self.chance.random() < 0.3 else \
            self.pick(*WAITS)

    # ---- The model ----

    def end(self, job, state, why=None):
        job.state, job.why = state, why
        if job.line is not None:
            job.line.writer.close()
            job.line = None
        if job in self.jobs:
            self.jobs.remove(job)
        self.ended = self.ended[-3:] + [job]
        self.counts[state] += 1

    def whole(self, job):
        job.state = HELD if job.holds or self.holds_new else PENDING

    def cancels(self, job):
        if job.state in (CREATED, HELD, PENDING):
            self.end(job, CANCELED)
        elif job.state == RECEIVING:
            job.why = "canceled while it came"
        else:
            job.state = STOPPING

    # ---- Comparing ----

    def files(self):
        start = f"p{self.id:05}"
        return {int(name[7:16]) for name in os.listdir(self.spool)
                if name.startswith(start) and not name.endswith(".ipp")}

    async def soon(self, true, what):
        begun = time.monotonic()
        while not true():
            if time.monotonic() - begun > patience(SOON):
                raise Fault(what)
            await asyncio.sleep(0.005)

    async def look(self, job):
        """A job's state, reasons and message; (0, [], "") if nobody knows
        it."""
        status, groups = await self.of_job(ipp.GET_JOB, job)
        if self.expect(status, 0, NOT_FOUND):
            for group in groups:
                if "job-state" in group:
                    return (group["job-state"][0], group["job-state-reasons"],
                            group.get("job-state-message", [""])[0])
        return 0, [], ""

    async def until(self, job, true):
        begun = time.monotonic() + self.server.abandon  # a job may wait so long
        pause = 0.002
        while not true(*(found := await self.look(job))):
            if time.monotonic() - begun > patience(SOON):
                raise Fault(f"{job} stays {found}")
            await asyncio.sleep(pause)
            pause = min(0.2, pause * 1.5)

    async def settle(self):
        """Waits for what the server does by itself."""
        stopping = [job for job in self.jobs if job.state == STOPPING or
                    (job.state == RECEIVING and job.why is not None)]
        for job in stopping:
            await self.until(job, lambda state, *_: state > 6)
            self.end(job, CANCELED)
        busy = [job for job in self.jobs if job.state == PRINTING]
        ready = [job for job in self.jobs if job.state == PENDING]
        if self.device.server is None:
            if ready and not busy and not self.paused:
                job = ready[0]
                await self.until(job, lambda state, *_: state == 5)
                job.state = PRINTING
            return
        for job in busy + ([] if self.paused else ready):
            await self.until(job, lambda state, *_: state > 6)
            self.expected.append(job.mark)
            self.end(job, COMPLETED)
        wanted = len(self.expected)
        await self.soon(
            lambda: len(self.device.marks) - self.seen >= wanted,
            f"lost: {self.device.marks[self.seen:]} of {self.expected}")
        got = self.device.marks[self.seen:]
        if got != self.expected:
            raise Fault(f"printed {got}, not {self.expected}")
        self.seen, self.expected = len(self.device.marks), []

    async def compare(self, job):
        state, reasons, message = await self.look(job)
        said = f"{job} is {state}, {','.join(reasons)}, {message!r}"
        if state != NUMBER[job.state]:
            raise Fault(said)
        if ("job-incoming" in reasons) != (job.state == RECEIVING):
            raise Fault(said)
        if job.state in (ABORTED, CANCELED, COMPLETED) and not any(
                job.state in reason for reason in reasons):
            raise Fault(said)
        if job.state == ABORTED and not re.search(job.why, message):
            # A refusal that was said before is said still.
            if not (job.no_room and re.search("kept|room", message)):
                raise Fault(f"{said}, without {job.why!r}")

    def compare_files(self):
        """True once the spool has what it should have."""
        wanted = {job.number for job in self.jobs if job.state in KEPT}
        coming = {job.number for job in self.jobs if job.state == RECEIVING}
        return wanted <= self.files() <= wanted | coming

    def fill_disk(self):
        """From now on nothing is kept."""
        self.full = True
        self.kept = (self.paused, self.holds_new, self.ended,
                     [(job, job.state, job.holds) for job in self.jobs])

    def empty_disk(self, killed):
        """A kill undoes what was not kept, but for documents that are gone."""
        self.full = False
        if not killed:
            return
        there = self.jobs
        self.paused, self.holds_new, self.ended, kept = self.kept
        self.jobs = [job for job, *_ in kept]
        for job, job.state, job.holds in kept:
            if job.state in KEPT and job not in there:
                self.end(job, ABORTED, "")

    async def after_start(self, killed):
        """What the next start finds, once it knows its printers."""
        self.line = None
        begun = time.monotonic()
        while (await self.ask(ipp.GET_PRINTER))[0] == NOT_FOUND:
            if time.monotonic() - begun > patience(SOON):
                raise Fault("the printer is forgotten")
            await asyncio.sleep(0.02)
        for job in list(self.jobs):
            if job.state in (CREATED, RECEIVING):
                # Its time may have been over while other printers walked.
                self.end(job, ABORTED, "before it had the whole document|" +
                         TOO_LATE)
            elif job.state == PRINTING:
                job.state = PENDING
            elif job.state == STOPPING:
                self.end(job, CANCELED)
        self.told.append(f"{'kill' if killed else 'end'}: {self.jobs}")
        await self.settle()
        for job in self.jobs + self.ended:
            await self.compare(job)
        await self.soon(self.compare_files, "the spool has other files")


