"""Walks at random through the life of jobs (doc/dev/printer-app.md), one step
after another on each printer, and compares the server with a model behind each;
run by test/app/app-walk.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter

sys.dont_write_bytecode = True
import ipp  # noqa: E402, beside this file
from ipp import Line, value  # noqa: E402
from jobs import (  # noqa: E402
    ABORTED, CANCELED, CREATED, HELD, NOT_FOUND, NOT_POSSIBLE, PENDING,
    RECEIVING, SOON, TOO_LATE, WAITS, Fault, Job, Model, Server)
from server import patience  # noqa: E402

CANCEL_JOBS, CANCEL_MY_JOBS = 0x38, 0x39
HOLD_NEW, RELEASE_NEW = 0x25, 0x26
SECOND_DOCUMENT = 0x0509

FORMAT = "application/vnd.zebra-zpl"
MOST_JOBS = 6  # of a printer, which have not ended
NEAR = 0.5  # of the time after which a job is abandoned: then the walk waits
EVERY = 2500, 6000  # steps between two accidents of the server

# What a walk does, and how often.
STEPS = {"print_job": 14, "create": 12, "send": 16, "send_empty": 2,
         "send_large": 2, "send_begin": 6, "send_go_on": 8, "send_cut": 3,
         "send_not_last": 2, "hold": 12, "release": 12, "hold_new": 4,
         "release_new": 5, "cancel": 9, "cancel_my": 1, "cancel_all": 1,
         "cancel_of_nobody": 2, "pause": 2, "resume": 4, "away": 0.3,
         "here": 1, "delete": 0.15, "time_passes": 0.1}


class Walk(Model):
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
        well = self.expect(status, self.room(ipp.BUSY if large else 0))
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
        elif self.expect(status, self.room(ipp.BUSY if large else 0)):
            self.whole(job)
        else:
            job.no_room = True

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
        if self.expect(status, 0) and job.state == CREATED:
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
        status, _ = await asyncio.wait_for(line.answer(), patience(SOON))
        line.writer.close()
        if self.expect(status, self.room(0)):
            self.whole(job)
        else:
            job.state, job.since, job.no_room = CREATED, job.made, True

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
        answer = await self.of_job(ipp.HOLD_JOB, job)
        may = job.state in (CREATED, RECEIVING, HELD, PENDING)
        if self.changed(answer, may):
            job.holds = True
            if job.state == PENDING:
                job.state = HELD

    async def release(self):
        job = self.any_job()
        if job is None:
            return
        answer = await self.of_job(ipp.RELEASE_JOB, job)
        may = job.state in (CREATED, RECEIVING, HELD)
        if self.changed(answer, may):
            job.holds = False
            if job.state == HELD:
                job.state = PENDING

    async def hold_new(self):
        answer = await self.ask(HOLD_NEW)
        if self.changed(answer, not self.holds_new):
            self.holds_new = True

    async def release_new(self):
        answer = await self.ask(RELEASE_NEW)
        if not self.changed(answer, self.holds_new):
            return
        self.holds_new = False
        for job in self.jobs:
            if job.state == HELD and not job.holds:
                job.state = PENDING

    async def cancel(self):
        job = self.any_job()
        if job is None:
            return
        answer = await self.of_job(ipp.CANCEL_JOB, job)
        if job.state == RECEIVING:  # it ends later, and nothing is kept yet
            self.expect(answer[0], 0)
            self.cancels(job)
        elif self.changed(answer, job.state in WAITS):
            self.cancels(job)

    async def cancel_many(self, operation):
        answer = await self.ask(operation)
        if all(job.state == RECEIVING for job in self.jobs):
            self.expect(answer[0], 0)
        else:
            self.changed(answer)
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
        self.expect(status, 0)

    async def pause(self):
        if self.changed(await self.ask(ipp.PAUSE_PRINTER)):
            self.paused = True

    async def resume(self):
        if self.full:
            return  # that it was printed is not kept, either
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
        self.end(job, ABORTED, TOO_LATE)

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
            if time.monotonic() - begun > patience(SOON):
                raise Fault("its name is not free")
            self.counts["adds again"] += 1
        _, groups = await self.ask(ipp.GET_PRINTER)
        self.id = ipp.first(groups, "printer-id")
        self.paused = self.holds_new = False

    # ---- The walk ----

    async def end_late(self):
        """Waits for the end of jobs whose time will be over soon."""
        while late := [job for job in self.jobs
                       if job.state in (CREATED, RECEIVING) and
                       time.monotonic() - job.since >
                       NEAR * self.server.abandon]:
            await self.is_over(late[0])

    async def step(self):
        await self.end_late()
        step = self.chance.choices(list(STEPS), STEPS.values())[0]
        self.told = self.told[-40:] + [step]
        self.counts[step] += 1
        await getattr(self, step)()
        self.told[-1] += f": {self.jobs}" + (
            " paused" * self.paused + " holds new" * self.holds_new +
            " away" * (self.device.server is None) + " full" * self.full)
        await self.check()

    async def check(self):
        await self.settle()  # which takes seconds while the printer is away
        await self.end_late()
        job = self.any_job()
        if job is not None:
            await self.compare(job)
        await self.soon(self.compare_files, "the spool has other files")

# ---- All walks ---------------------------------------------------------------


class Walks:
    def __init__(self, options):
        self.options = options
        self.server = Server(options.program, options.log_level)
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
            self.server.disk(True)
            for walk in self.walks:
                walk.fill_disk()
            await self.round(10)
            if not killed:  # its last state is to be kept
                self.server.disk(False)
        await self.server.end(signal.SIGKILL if killed else signal.SIGTERM)
        if full:
            for walk in self.walks:
                walk.empty_disk(killed)
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


sys.exit(0 if asyncio.run(Walks(arguments()).run()) else 1)
