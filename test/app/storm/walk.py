"""Walks at random through the life of jobs (doc/dev/printer-app.md), one step
after another on each printer, and compares the server with a model behind each;
run by test/app/app-walk.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import os
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections import Counter

sys.dont_write_bytecode = True
import ipp  # noqa: E402, beside this file
from ipp import Line, value  # noqa: E402
from server import free_port, prepare  # noqa: E402

CANCEL_JOBS, CANCEL_MY_JOBS = 0x38, 0x39
HOLD_NEW, RELEASE_NEW = 0x25, 0x26
NOT_POSSIBLE, NOT_FOUND = 0x0404, 0x0406
SECOND_DOCUMENT, CANCELED_WHILE_IT_COMES = 0x0509, 0x0508

CREATED, RECEIVING, HELD, PENDING = "created", "receiving", "held", "pending"
PRINTING, STOPPING = "printing", "stopping"
CANCELED, ABORTED, COMPLETED = "canceled", "aborted", "completed"
WAITS = CREATED, RECEIVING, HELD, PENDING, PRINTING, STOPPING
# IPP's numbers, and which states have a document in the spool.
NUMBER = {CREATED: 4, RECEIVING: 4, HELD: 4, PENDING: 3, PRINTING: 5,
          STOPPING: 5, CANCELED: 7, ABORTED: 8, COMPLETED: 9}
KEPT = HELD, PENDING, PRINTING

FORMAT = "application/vnd.zebra-zpl"
MOST_JOBS = 6  # of a printer, which have not ended
ABANDON = 6  # seconds: client-timeout
NEAR = 2.5  # seconds before that: the walk waits for it
SOON = 30  # seconds within which what must happen has happened
FILE_LIMIT = 1 << 20  # bytes of a file, while the disk is not full
MARK = re.compile(rb"\^FXWALK(\d+)\^FS")
EVERY = 2500, 6000  # steps between two accidents of the server

# What a walk does, and how often.
STEPS = {"print_job": 14, "create": 12, "send": 16, "send_empty": 2,
         "send_large": 2, "send_begin": 6, "send_go_on": 8, "send_cut": 3,
         "send_not_last": 2, "hold": 12, "release": 12, "hold_new": 4,
         "release_new": 5, "cancel": 9, "cancel_my": 1, "cancel_all": 1,
         "cancel_of_nobody": 2, "pause": 2, "resume": 4, "away": 0.3,
         "here": 1, "delete": 0.15, "time_passes": 0.1}


class Fault(Exception):
    pass


class Job:
    def __init__(self, number, mark, holds):
        self.number, self.mark, self.holds = number, mark, holds
        self.state, self.why = CREATED, None
        self.since = time.monotonic()
        self.was_whole = False
        self.no_room = False  # for its document, so far
        self.line = self.rest = None  # of a document that comes

    def __repr__(self):
        return f"{self.number} {self.state}"


# ---- A model printer ---------------------------------------------------------


class Printer:
    """At a port of its own; `marks` are those that it got, in order."""

    def __init__(self):
        self.marks, self.port, self.server = [], 0, None
        self.lines = set()

    async def here(self):
        self.server = await asyncio.start_server(
            self.serve, ipp.ADDRESS, self.port, reuse_address=True)
        self.port = self.server.sockets[0].getsockname()[1]

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

    def __init__(self, program):
        self.program, self.port = program, free_port()
        self.process = self.log = None

    async def start(self):
        if self.log is None:  # a pipe, which has no limit
            self.log = subprocess.Popen(
                ["tee", "-a", "app.log"], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL)

        def before():
            prepare()
            resource.setrlimit(resource.RLIMIT_FSIZE,
                               (FILE_LIMIT, resource.RLIM_INFINITY))

        self.process = await asyncio.create_subprocess_exec(
            self.program, "server", "-o", f"server-port={self.port}",
            "-o", "listen-hostname=localhost", "-o", "server-options=no-tls",
            "-o", "log-file=-", "-o", "log-level=" + LOG,
            "-o", f"client-timeout={ABANDON}",
            stdin=subprocess.DEVNULL, stdout=self.log.stdin,
            stderr=self.log.stdin, preexec_fn=before)
        for _ in range(600):
            if self.process.returncode is not None:
                break
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
        status = await asyncio.wait_for(self.process.wait(), SOON)
        if how == signal.SIGTERM and status != 0:
            raise Fault(f"the server ended with status {status}")

    async def command(self, *words):
        done = await asyncio.create_subprocess_exec(
            self.program, *words, stdin=subprocess.DEVNULL)
        return await done.wait() == 0


# ---- A walk ------------------------------------------------------------------


class Walk:
    def __init__(self, name, seed, server, spool):
        self.name, self.server, self.spool = name, server, spool
        self.chance = random.Random(f"{seed} {name}")
        self.device = Printer()
        self.jobs, self.ended = [], []  # those of now; some of the last ended
        self.expected = []  # marks, in the order of printing
        self.twice = set()  # marks that a kill may have printed twice
        self.seen = 0  # marks of the device that are looked at
        self.paused = self.holds_new = self.full = False
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
                    (line or self.line).ask(self.name, body), SOON)
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

    def room(self, *ways):
        """What may be answered to what needs room on the disk."""
        return (0x0505, 0x0506, 0x0507) if self.full else ways

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
        job.was_whole = True
        job.state = HELD if job.holds or self.holds_new else PENDING

    def cancels(self, job):
        if job.state in (CREATED, HELD, PENDING):
            self.end(job, CANCELED)
        elif job.state == RECEIVING:
            job.why = "canceled while it came"
        else:
            job.state = STOPPING

    # ---- Steps ----

    def ticket(self):
        holds = self.chance.random() < 0.3
        return holds, value(ipp.KEYWORD, "job-hold-until",
                            "indefinite" if holds else "no-hold")

    async def made(self, operation, *more, large=False):
        """Makes a job; returns it if there is one."""
        if len(self.jobs) >= MOST_JOBS:
            return None
        self.marks += 1
        job = Job(0, int(f"{self.id}{self.marks:07}"), False)
        job.holds, ticket = self.ticket()
        data = self.document(job, large) if operation == ipp.PRINT_JOB else b""
        status, groups = await self.ask(
            operation, value(ipp.NAME, "job-name", str(job.mark)), *more,
            job=ticket, data=data)
        job.number = ipp.first(groups, "job-id")
        # A job without a document needs no room, and ends with the server.
        well = self.expect(status, *self.room(0x0507 if large else 0),
                           *[0] * (operation == ipp.CREATE_JOB))
        if job.number is not None:
            self.jobs.append(job)
            if well and data:
                self.whole(job)
            elif data or not well:
                self.end(job, ABORTED, "kept|fit|room|full|large")
        elif well:
            raise Fault("a job without a number")
        return job

    async def print_job(self):
        await self.made(ipp.PRINT_JOB, value(ipp.MIME, "document-format",
                                             FORMAT))

    async def create(self):
        await self.made(ipp.CREATE_JOB)

    def sending(self, job, last=True):
        return (value(ipp.INTEGER, "job-id", job.number),
                value(ipp.MIME, "document-format", FORMAT),
                value(ipp.BOOLEAN, "last-document", last))

    async def send(self, large=False, last=True):
        job = self.pick(CREATED) if self.chance.random() < 0.8 or large else \
            self.any_job()
        if job is None:
            return
        status, _ = await self.ask(ipp.SEND_DOCUMENT, *self.sending(job, last),
                                   data=self.document(job, large))
        if job.state != CREATED:
            self.expect(status, SECOND_DOCUMENT, NOT_POSSIBLE)
        elif self.expect(status, *self.room(0x0507 if large else 0)):
            self.whole(job)
        else:
            job.since, job.no_room = time.monotonic(), True

    async def send_large(self):
        if self.chance.random() < 0.5:
            await self.made(ipp.PRINT_JOB, value(
                ipp.MIME, "document-format", FORMAT), large=True)
        else:
            await self.send(large=True)

    async def send_empty(self):
        if (job := self.any_job()) is None:
            return
        status, _ = await self.ask(ipp.SEND_DOCUMENT, *self.sending(job))
        if self.expect(status, *self.kept(0)) and job.state == CREATED:
            self.end(job, ABORTED, "empty")

    async def send_not_last(self):
        """Jobs have one document: it is printed all the same."""
        await self.send(last=False)

    async def send_begin(self):
        job = self.pick(CREATED)
        if job is None or self.pick(RECEIVING) is not None or self.full:
            return
        data = self.document(job)
        half = len(data) // 2
        body = ipp.request(ipp.SEND_DOCUMENT, self.name, self.who(),
                           *self.sending(job))
        job.line = await Line(self.server.port).__aenter__()
        await job.line.send(ipp.post(self.name, len(body + data)) + body +
                            data[:half])
        job.rest = data[half:]
        job.state, job.since = RECEIVING, time.monotonic()
        await self.until(job, lambda state, reasons, _:
                         "job-incoming" in reasons)

    async def send_go_on(self):
        job = self.pick(RECEIVING)
        if job is None:
            return
        line, job.line = job.line, None
        await line.send(job.rest)
        status, _ = await asyncio.wait_for(line.answer(), SOON)
        line.writer.close()
        if self.expect(status, *self.room(0)):
            self.whole(job)
        else:
            job.state, job.since = CREATED, time.monotonic()
            job.no_room = True

    async def send_cut(self):
        job = self.pick(RECEIVING)
        if job is None:
            return
        self.end(job, ABORTED, "did not send the whole document")
        await self.until(job, lambda state, *_: state > 6)

    async def hold(self):
        job = self.any_job()
        if job is None:
            return
        status, _ = await self.of_job(ipp.HOLD_JOB, job)
        may = job.state in (CREATED, RECEIVING, HELD, PENDING)
        if self.expect(status, *self.kept(0 if may else NOT_POSSIBLE)):
            job.holds = True
            if job.state == PENDING:
                job.state = HELD

    async def release(self):
        job = self.any_job()
        if job is None:
            return
        status, _ = await self.of_job(ipp.RELEASE_JOB, job)
        may = job.state in (CREATED, RECEIVING, HELD)
        if self.expect(status, *self.kept(0 if may else NOT_POSSIBLE)):
            job.holds = False
            if job.state == HELD:
                job.state = PENDING

    def kept(self, status):
        """What is not kept is not taken."""
        return (status, 0x0500, 0x0505, 0x0507) if self.full else (status,)

    async def hold_new(self):
        status, _ = await self.ask(HOLD_NEW)
        if self.expect(status, *self.kept(NOT_POSSIBLE if self.holds_new
                                          else 0)):
            self.holds_new = True

    async def release_new(self):
        status, _ = await self.ask(RELEASE_NEW)
        if not self.expect(status, *self.kept(0 if self.holds_new else
                                              NOT_POSSIBLE)):
            return
        self.holds_new = False
        for job in self.jobs:
            if job.state == HELD and not job.holds:
                job.state = PENDING

    async def cancel(self):
        job = self.any_job()
        if job is None:
            return
        status, _ = await self.of_job(ipp.CANCEL_JOB, job)
        if self.expect(status, *self.kept(0 if job.state in WAITS else
                                          NOT_POSSIBLE)):
            self.cancels(job)

    async def cancel_many(self, operation):
        status, _ = await self.ask(operation)
        if self.expect(status, *self.kept(0)):
            for job in list(self.jobs):
                self.cancels(job)

    async def cancel_my(self):
        await self.cancel_many(CANCEL_MY_JOBS)

    async def cancel_all(self):
        await self.cancel_many(CANCEL_JOBS)

    async def cancel_of_nobody(self):
        self.user = "nobody"
        status, _ = await self.ask(CANCEL_MY_JOBS)
        self.user = "walk"
        self.expect(status, *self.kept(0))

    async def pause(self):
        status, _ = await self.ask(ipp.PAUSE_PRINTER)
        if self.expect(status, *self.kept(0)):
            self.paused = True

    async def resume(self):
        if self.full:
            return  # what it prints may be printed again
        status, _ = await self.ask(ipp.RESUME_PRINTER)
        self.expect(status, 0)
        self.paused = False

    async def away(self):
        if self.device.server is not None:
            await self.device.away()

    async def here(self):
        if self.device.server is None and not self.full:
            await self.device.here()

    async def time_passes(self):
        """Until a job without a document is abandoned."""
        job = self.pick(CREATED, RECEIVING)
        if job is not None:
            await self.is_over(job)

    async def is_over(self, job):
        await self.until(job, lambda state, *_: state > 6)
        self.end(job, ABORTED, "kept the server waiting"
                 if job.state == RECEIVING else "No document has come")

    async def delete(self):
        if self.full:
            return
        if not await self.server.command("delete", "-d", self.name):
            raise Fault("it cannot be deleted")
        status, _ = await self.ask(ipp.GET_PRINTER)
        self.expect(status, NOT_FOUND)
        for job in list(self.jobs):
            self.end(job, CANCELED)
        await self.soon(lambda: not self.files(), "files of a deleted printer")
        self.seen, self.expected, self.ended = len(self.device.marks), [], []
        await self.add()

    async def add(self):
        await self.here()
        begun = time.monotonic()
        while not await self.server.command(
                "add", "-d", self.name, "-m", "zebra-zpl-203", "-v",
                f"socket://{ipp.ADDRESS}:{self.device.port}"):
            if time.monotonic() - begun > SOON:
                raise Fault("its name is not free")
            self.counts["adds again"] += 1
        _, groups = await self.ask(ipp.GET_PRINTER)
        self.id = ipp.first(groups, "printer-id")
        self.paused = self.holds_new = False

    # ---- Comparing ----

    def files(self):
        start = f"p{self.id:05}"
        return {int(name[7:16]) for name in os.listdir(self.spool)
                if name.startswith(start) and not name.endswith(".ipp")}

    async def soon(self, true, what):
        end = time.monotonic() + SOON
        while not true():
            if time.monotonic() > end:
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
        end = time.monotonic() + SOON
        pause = 0.002
        while not true(*(found := await self.look(job))):
            if time.monotonic() > end:
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
        if got != self.expected and not set(got) & self.twice:
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

    # ---- The walk ----

    def due(self):
        return [job for job in self.jobs if job.state in (CREATED, RECEIVING)
                and time.monotonic() - job.since > ABANDON - NEAR]

    async def step(self):
        for job in self.due():
            await self.is_over(job)
        step = self.chance.choices(list(STEPS), STEPS.values())[0]
        self.told = self.told[-40:] + [step]
        self.counts[step] += 1
        await getattr(self, step)()
        self.told[-1] += f": {self.jobs}" + (
            " paused" * self.paused + " holds new" * self.holds_new +
            " away" * (self.device.server is None) + " full" * self.full)
        await self.check()

    async def check(self):
        await self.settle()
        job = self.any_job()
        if job is not None:
            await self.compare(job)
        await self.soon(self.compare_files, "the spool has other files")

    async def after_start(self, killed):
        """What the next start finds, once it knows its printers."""
        self.line = None
        begun = time.monotonic()
        while (await self.ask(ipp.GET_PRINTER))[0] == NOT_FOUND:
            if time.monotonic() - begun > SOON:
                raise Fault("the printer is forgotten")
            await asyncio.sleep(0.02)
        self.paused = False  # PAPPL 1.3 keeps it in memory alone
        for job in list(self.jobs):
            if job.state in (CREATED, RECEIVING):
                self.end(job, ABORTED, "")
            elif job.state == PRINTING:
                job.state = PENDING
            elif job.state == STOPPING:
                self.end(job, CANCELED)
        self.told.append(f"{'kill' if killed else 'end'}: {self.jobs}")
        await self.settle()
        if killed:  # of a job that never had a document nothing may be known
            self.ended = [job for job in self.ended if job.was_whole or
                          (await self.look(job))[0] != 0]
        for job in self.jobs + self.ended:
            await self.compare(job)
        await self.soon(self.compare_files, "the spool has other files")


# ---- All walks ---------------------------------------------------------------


class Walks:
    def __init__(self, options):
        self.options = options
        self.server = Server(options.program)
        self.walks = [Walk(f"w{number}", options.seed, self.server,
                           os.path.join(os.environ["STATE_DIRECTORY"], "spool"))
                      for number in range(options.printers)]
        self.left = options.count
        self.chance = random.Random(f"{options.seed} accidents")
        self.counts, self.failed = Counter(), False

    async def some(self, walk, count):
        try:
            for _ in range(count):
                if self.failed:
                    return
                await walk.step()
        except (Fault, OSError, EOFError) as fault:
            self.fault(walk, fault)

    def fault(self, walk, fault):
        self.failed = True
        print(f"{walk.name}: {type(fault).__name__}: {fault}\n  " +
              "\n  ".join(walk.told), flush=True)

    async def round(self, steps):
        """All printers walk, each so many steps."""
        await asyncio.gather(*(self.some(walk, steps) for walk in self.walks))

    async def accident(self):
        """The server ends, or is killed; or its disk is full meanwhile."""
        full, killed = (self.chance.random() < 0.5 for _ in range(2))
        full = full and self.options.full_disks
        self.counts["full disks"] += full
        self.counts["kills" if killed else "ends"] += 1
        if full:
            for walk in self.walks:
                await walk.pause()
                walk.full = True
            self.server.disk(True)
            await self.round(10)
            if not killed:  # its last state is to be kept
                self.server.disk(False)
        await self.server.end(signal.SIGKILL if killed else signal.SIGTERM)
        for walk in self.walks:
            walk.full = False
        await self.server.start()
        for walk in self.walks:
            try:
                await walk.after_start(killed)
            except Fault as fault:
                self.fault(walk, fault)

    async def run(self):
        begun = time.monotonic()
        await self.server.start()
        for walk in self.walks:
            await walk.add()
        while self.left > 0 and not self.failed:
            steps = min(self.left, self.chance.randrange(*self.options.every))
            self.left -= steps
            await self.round(max(1, steps // len(self.walks)))
            if not self.failed and not self.options.calm:
                await self.accident()
        if not self.failed:
            await self.server.end(signal.SIGTERM)
        for walk in self.walks:
            self.counts += walk.counts
        steps = sum(self.counts[step] for step in STEPS)
        seconds = time.monotonic() - begun
        print(f"walk: seed {self.options.seed}, {steps} steps of "
              f"{len(self.walks)} printers in {seconds:.0f} s: " +
              ", ".join(f"{self.counts[name]} {name}" for name in sorted(
                  self.counts)), flush=True)
        return not self.failed


def arguments():
    parser = argparse.ArgumentParser(prog="app-walk")
    parser.add_argument("program")
    parser.add_argument("make_picture")
    parser.add_argument("count", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    parser.add_argument("--printers", type=int, default=16)
    parser.add_argument("--calm", action="store_true")
    parser.add_argument("--full-disks", action="store_true")
    parser.add_argument("--every", type=int, nargs=2, default=EVERY)
    parser.add_argument("--log-level", default="warn")
    return parser.parse_args()


options = arguments()
LOG = options.log_level
sys.exit(0 if asyncio.run(Walks(options).run()) else 1)
