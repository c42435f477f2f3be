"""Clients, printers and restarts at once, and what became of each job; run by
test/app/app-storm.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import itertools
import os
import random
import subprocess
import sys
import time
import traceback

sys.dont_write_bytecode = True
import ipp  # noqa: E402, beside this file
from documents import PDF, RAW, TYPES, Documents, sheet  # noqa: E402
from ipp import Line, value  # noqa: E402
from ledger import ENDED, Ledger  # noqa: E402
from printers import DRIVERS, Printer  # noqa: E402
from server import Server, free_port, patience  # noqa: E402

# Runs by name: seconds, clients, printers, drivers, types, calm.
RUNS = {
    "minute": (60, 20, 6, "zebra-zpl-203,pwg-raster", ",".join(TYPES), False),
    "hour": (3600, 50, 32, ",".join(DRIVERS), ",".join(TYPES), False),
    "labels": (600, 12, 1, "zebra-zpl-203", "jpeg", True),
    "raster": (600, 4, 1, "pwg-raster", "pwg", True)}

FULL = 30  # jobs of a printer that wait, and no more are sent
WEATHER = (2, 8)  # seconds between two accidents of a printer
LAST = (1, 5)  # seconds of one
RESTARTS = (8, 20)  # seconds between two ends of the server
LIMIT_STREAM = 300  # seconds for raster, which waits for its printer
DELETIONS = (10, 30)  # seconds between two deletions of printers
FULL_DISKS = (20, 60)  # seconds between two times that a disk is full
DISK = "64m"
CLOCKS = (20, 60)  # seconds between two settings of the clock
JUMPS = (-86400, -3600, -5, 0, 60, 7200, 604800)  # s from the true time
# Of a long run the middle has neither kills nor restarts: one server's memory.
QUIET_AFTER, LONG = 600, 1800
MEASURE = 10  # seconds
FLAT = 1.05
STILL = 60  # seconds without a byte, until jobs that wait are stuck

NOT_FOUND = 0x0406
WHOLE = "job-id", "job-state", "job-state-message"


class Storm:
    def __init__(self, arguments):
        self.say = lambda text: print(text, flush=True)
        self.options = arguments
        self.ledger = Ledger(self.say)
        self.documents = Documents(arguments.make_picture)
        self.server = Server(arguments.program, free_port(), os.getcwd(),
                             self.ledger)
        self.printers = []
        self.gone = []  # printers that were deleted
        self.quiet = asyncio.Lock()  # of what does not happen at once
        self.usages = []  # (second, memory, files, threads)
        self.disks = []
        self.held = set()
        self.requests = 0
        self.ends = False
        self.end = asyncio.Event()

    def random(self, name):
        return random.Random(f"{self.options.seed} {name}")

    # ---- Requests ----

    async def ask(self, what, limit, routine):
        """Runs routine(line). Returns None where the server is not there, or
        goes meanwhile; a server that is silent for `limit` seconds of
        patience() hangs."""
        await self.server.up.wait()
        start = self.server.starts
        self.requests += 1

        async def connected():
            async with Line(self.server.port) as line:
                return await routine(line)

        try:
            return await asyncio.wait_for(connected(), limit := patience(limit))
        except asyncio.TimeoutError:
            if start == self.server.starts and self.server.up.is_set():
                await self.server.hang(f"{what}: no answer in {limit:.0f} s")
                await self.server.start()
        except (OSError, EOFError, asyncio.IncompleteReadError) as error:
            await asyncio.sleep(0.5)
            if start == self.server.starts and self.server.up.is_set():
                self.ledger.counts["connections ended"] += 1
                self.ledger.fault("no answer", f"{what}: {error!r}")
        return None

    async def simple(self, operation, printer, *attributes):
        """Sends a request that has no document; returns status and groups."""
        body = ipp.request(operation, printer.name,
                           value(ipp.NAME, "requesting-user-name", "storm"),
                           *attributes)
        answer = await self.ask(
            f"operation {operation}", self.options.patience,
            lambda line: line.ask(printer.name, body))
        return answer or (None, [])

    async def of_job(self, operation, job):
        printer = self.printer_of(job)
        return (await self.simple(operation, printer, value(
            ipp.INTEGER, "job-id", job.number)))[0]

    def printer_of(self, job):
        return next(p for p in self.printers + self.gone
                    if p.name == job.printer)

    # ---- A client ----

    async def client(self, number):
        chance = self.random(f"client {number}")
        while not self.ends:
            action = 0 if self.options.calm else chance.random()
            printer = chance.choice(self.printers)
            if action < 0.8:
                await self.prints(chance, printer)
            elif action < 0.97:
                await self.looks(chance, printer)
            else:
                await self.pauses(chance, printer)

    async def looks(self, chance, printer):
        what = chance.randrange(3)
        if what == 0:
            await self.simple(ipp.GET_PRINTER, printer)
        elif what == 1:
            await self.simple(ipp.GET_JOBS, printer)
        else:
            path = chance.choice(["/", f"/{printer.name}/",
                                  f"/{printer.name}/jobs"])
            await self.ask(path, self.options.patience,
                           lambda line: line.page(path))

    async def pauses(self, chance, printer):
        await self.simple(ipp.PAUSE_PRINTER, printer)
        await asyncio.sleep(chance.uniform(0, 1))
        await self.simple(ipp.RESUME_PRINTER, printer)

    async def prints(self, chance, printer):
        if self.ledger.waiting(printer.name) >= FULL:
            await asyncio.sleep(0.1)
            return
        kind = chance.choice(self.options.types)
        # A RIP is slow: of ten PDFs one is printed.
        if kind == PDF and len(self.options.types) > 1 and chance.random() > .1:
            kind = RAW
        fate = 1 if self.options.calm else chance.random()
        job = self.ledger.new_job(printer.name, kind)
        hold = fate < 0.05
        twofold = chance.random() < 0.2 and not self.options.calm
        job.gave_up = 0.15 < fate < 0.18
        job.story = ("held " if hold else "") + ("twofold" if twofold else "")
        answer = await self.ask(
            f"{kind} to {printer.name}",
            LIMIT_STREAM if kind in ("pwg", "urf") else self.options.patience,
            lambda line: self.send(line, chance, printer, job, hold, twofold))
        if answer is None:
            return
        status, groups = answer
        self.ledger.answer(job, status, ipp.first(groups, "job-id"))
        self.ledger.state(printer.name, job.number,
                          ipp.first(groups, "job-state"),
                          ipp.first(groups, "job-state-message"))
        if not job.accepted():
            self.ledger.counts[f"refused with {status:#06x}"] += 1
            if status == NOT_FOUND and not printer.deleted:
                self.ledger.fault("forgotten printer", printer.name)
            return
        if hold:
            await asyncio.sleep(chance.uniform(0, 2))
            await self.release(job)
        elif fate < 0.15:
            await asyncio.sleep(chance.choice([0, 0, chance.uniform(0, 1)]))
            job.cancels = True
            await self.of_job(ipp.CANCEL_JOB, job)

    async def release(self, job):
        if await self.of_job(ipp.RELEASE_JOB, job) is None:
            self.held.add(job)
        job.answered = time.monotonic()

    async def send(self, line, chance, printer, job, hold, twofold):
        """Sends a job; returns the answer, or None when it gives up."""
        kind, document = self.documents.make(job.kind, job.mark,
                                             printer.driver)
        ticket = (ipp.media(*sheet(job.mark)) +
                  value(ipp.KEYWORD, "print-scaling", "fill") +
                  value(ipp.ENUM, "print-quality", 3))
        if hold:
            ticket += value(ipp.KEYWORD, "job-hold-until", "indefinite")
        who = (value(ipp.NAME, "requesting-user-name", "storm") +
               value(ipp.NAME, "job-name", f"{printer.name}-{job.mark}"))
        if twofold:
            status, groups = await line.ask(printer.name, ipp.request(
                ipp.CREATE_JOB, printer.name, who, job=ticket))
            number = ipp.first(groups, "job-id")
            if status >= 0x400 or status < 0 or number is None:
                return status, groups
            body = ipp.request(
                ipp.SEND_DOCUMENT, printer.name,
                value(ipp.INTEGER, "job-id", number),
                value(ipp.NAME, "requesting-user-name", "storm"),
                value(ipp.MIME, "document-format", kind),
                value(ipp.BOOLEAN, "last-document", True))
        else:
            body = ipp.request(ipp.PRINT_JOB, printer.name, who,
                               value(ipp.MIME, "document-format", kind),
                               job=ticket)
        if job.gave_up:
            await line.send(ipp.post(printer.name, len(body) + len(document)) +
                            body + document[:len(document) // 2])
            await asyncio.sleep(chance.uniform(0, 0.5))
            return None
        if chance.random() < 0.5:
            return await line.ask(printer.name, body + document)
        await line.send(ipp.post(printer.name, None))
        for part in (body, document[:100], document[100:]):
            await line.send(b"%x\r\n%s\r\n" % (len(part), part))
        await line.send(b"0\r\n\r\n")
        return await line.answer()

    # ---- Who looks on, accidents, restarts ----

    async def states(self, printer, which):
        """Asks for the states of jobs; returns their numbers, or None."""
        status, groups = await self.simple(
            ipp.GET_JOBS, printer, value(ipp.KEYWORD, "which-jobs", which),
            value(ipp.KEYWORD, "requested-attributes", WHOLE[0]),
            *(value(ipp.KEYWORD, "", name) for name in WHOLE[1:]))
        if status is None or status >= 0x400 or status < 0:
            return None
        jobs = [g for g in groups if "job-id" in g]
        for group in jobs:
            self.ledger.state(
                printer.name, group["job-id"][0], group["job-state"][0],
                group.get("job-state-message", [""])[0])
        return [group["job-id"][0] for group in jobs]

    async def looks_on(self, printer):
        while not printer.deleted:
            await asyncio.sleep(0.5 + len(self.printers) / 10)
            await self.states(printer, "completed")

    async def pause(self, seconds):
        """Sleeps, but no longer than the storm lasts."""
        try:
            await asyncio.wait_for(self.end.wait(), seconds)
        except asyncio.TimeoutError:
            pass

    async def weather(self, printer):
        chance = self.random(f"weather {printer.name}")
        while not self.ends and not printer.deleted:
            await self.pause(chance.uniform(*WEATHER))
            accident = chance.choice([printer.is_away, printer.stalls,
                                      printer.is_slow, printer.hangs_up])
            if not self.ends:
                await accident(chance.uniform(*LAST))

    async def restarts(self):
        chance = self.random("restarts")
        while not self.ends:
            await self.pause(chance.uniform(*RESTARTS))
            async with self.quiet:
                if (self.ends or not self.server.up.is_set() or
                        self.is_quiet()):
                    continue
                if chance.random() < 0.5:
                    self.ledger.counts["kills"] += 1
                    await self.server.kill()
                else:
                    self.ledger.counts["restarts"] += 1
                    await self.server.stop()
                await self.server.start()

    def second(self):
        return time.monotonic() - self.ledger.begun

    def is_quiet(self):
        return (self.options.seconds >= LONG and
                QUIET_AFTER <= self.second() <=
                self.options.seconds - QUIET_AFTER)

    async def deletions(self):
        """A printer goes, with its jobs; another one comes in its place."""
        chance = self.random("deletions")
        while not self.ends:
            await self.pause(chance.uniform(*DELETIONS))
            if self.ends:
                return
            place = chance.randrange(len(self.printers))
            old = self.printers[place]
            old.deleted = True  # whether or not the answer comes
            status = None
            while status != NOT_FOUND and not self.server.over.is_set():
                await self.command("delete", "-d", old.name)
                status = (await self.simple(ipp.GET_PRINTER, old))[0]
            self.ledger.deletions[old.name] = time.monotonic()
            self.ledger.counts["deletions"] += 1
            self.gone.append(old)
            self.printers[place] = await self.add_printer(old.driver)
            self.begin(self.looks_on(self.printers[place]),
                       self.weather(self.printers[place]))

    def begin(self, *routines):
        """Starts tasks, which end with the storm: it fails as they do."""
        for routine in routines:
            task = asyncio.create_task(routine)
            task.add_done_callback(self.ended)
            self.background.append(task)

    def ended(self, task):
        if not task.cancelled() and task.exception() is not None:
            self.ledger.fault("storm", "".join(traceback.format_exception(
                task.exception())))

    def mount(self):
        """Gives the server small disks of its own, as root; False if not."""
        if os.geteuid() != 0:
            return False
        self.disks = [os.environ[name]
                      for name in ("STATE_DIRECTORY", "SNAP_COMMON")]
        return all(subprocess.run(["mount", "-t", "tmpfs", "-o",
                                   f"size={DISK}", "storm", disk]).returncode
                   == 0 for disk in self.disks)

    async def full_disks(self):
        chance = self.random("disks")
        while not self.ends:
            await self.pause(chance.uniform(*FULL_DISKS))
            async with self.quiet:
                if self.ends:
                    return
                self.ledger.counts["full disks"] += 1
                filler = f"{chance.choice(self.disks)}/filler"
                with open(filler, "wb") as file:
                    left = os.fstatvfs(file.fileno())
                    try:
                        os.posix_fallocate(file.fileno(), 0,
                                           left.f_bavail * left.f_frsize)
                    except OSError:
                        pass  # somebody else took it
                    await asyncio.sleep(chance.uniform(*LAST))
                os.unlink(filler)
                await asyncio.sleep(LAST[1])

    async def clocks(self):
        chance = self.random("clock")
        while not self.ends:
            await self.pause(chance.uniform(*CLOCKS))
            if self.ends:
                return
            self.ledger.counts["jumps of the clock"] += 1
            self.server.set_clock(chance.choice(JUMPS))

    async def measures(self):
        for count in itertools.count(1):
            await asyncio.sleep(MEASURE)
            if self.server.up.is_set():
                self.usages.append((self.second(), *self.server.usage()))
                if count % 6 == 0:
                    self.say("at %4.0f s: %.1f MB, %d open files, %d threads" %
                             self.usages[-1])

    def judge_usages(self):
        """Compares what the one server of the middle uses, by ten minutes, when
        the fewest clients and jobs have something of it."""
        last = self.options.seconds - QUIET_AFTER
        for column, what in ((1, "memory"), (2, "open files")):
            tens = [min(u[column] for u in self.usages
                        if at <= u[0] < at + QUIET_AFTER)
                    for at in range(QUIET_AFTER, last, QUIET_AFTER)]
            self.say(f"{what}, least of ten minutes: " +
                     ", ".join(f"{least:.1f}" for least in tens))
            if max(tens) > FLAT * tens[0]:
                self.ledger.fault(f"{what} grows", tens)

    # ---- From the beginning to the end ----

    async def command(self, *arguments):
        """Runs a command of the application; returns its status."""
        command = await asyncio.create_subprocess_exec(
            self.options.program, *arguments, stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL if self.printers else None)
        return await command.wait()

    async def add_printer(self, driver):
        """Adds it by the command, under a name that no printer has had."""
        while not self.server.over.is_set():
            printer = Printer(f"p{len(self.ledger.jobs)}", driver,
                              lambda p, page: self.ledger.page(p.name, page),
                              lambda p, mark: self.ledger.lost(p.name, mark))
            printer.here()
            self.ledger.add_printer(printer.name)
            if await self.command("add", "-d", printer.name, "-m", driver.name,
                                  "-v",
                                  f"socket://127.0.0.1:{printer.port}") == 0:
                return printer
            if not self.printers:
                sys.exit("a printer cannot be added")
            await asyncio.sleep(1)  # there is no server, or no room
        raise asyncio.CancelledError

    async def add_printers(self):
        for number in range(self.options.printers):
            self.printers.append(await self.add_printer(
                DRIVERS[self.options.drivers[
                    number % len(self.options.drivers)]]))

    async def drain(self):
        """Waits until nothing waits, or nothing has moved for a while."""
        before, since = None, time.monotonic()
        while not self.server.over.is_set():
            left = [await self.states(p, "not-completed")
                    for p in self.printers]
            if left == [[]] * len(left):
                return
            now = (left, [p.got for p in self.printers])
            if now != before:
                before, since = now, time.monotonic()
            elif time.monotonic() - since > patience(STILL):
                self.ledger.fault("stuck", f"nothing moves any more: {left}")
                await self.server.debug(
                    "stuck.txt", str(self.server.process.pid),
                    ["thread apply all bt 20"])
                return
            for job in list(self.held):
                self.held.discard(job)
                await self.release(job)
            for printer, numbers in zip(self.printers, left):
                for number in numbers or []:
                    await self.release_unknown(printer, number)
            await asyncio.sleep(0.5)

    async def release_unknown(self, printer, number):
        """A job that is held may be there while its client was not told of it,
        as the server was killed meanwhile."""
        if (printer.name, number) not in self.ledger.numbers:
            await self.simple(ipp.RELEASE_JOB, printer,
                              value(ipp.INTEGER, "job-id", number))

    def accidents(self):
        tasks = [self.weather(p) for p in self.printers]
        tasks.append(self.restarts())
        if not self.options.hard:
            return tasks
        tasks.append(self.deletions())
        if self.disks:
            tasks.append(self.full_disks())
        if self.server.has_clock():
            tasks.append(self.clocks())
        else:
            self.say("SKIP jumps of the clock: libfaketime is missing")
        return tasks

    async def run(self):
        if self.options.hard and not self.mount():
            self.say("SKIP full disks: only root can mount one")
        await self.server.start()
        await self.add_printers()
        self.background = []
        self.begin(self.server.watch(), self.measures(),
                   *(self.looks_on(p) for p in self.printers))
        tasks = [self.client(n) for n in range(self.options.clients)]
        if not self.options.calm:
            tasks += self.accidents()
        before = len(self.background)
        self.begin(*tasks)
        clients = self.background[before:]
        over = asyncio.create_task(self.server.over.wait())
        await asyncio.wait([over], timeout=self.options.seconds)
        self.ends = True
        self.end.set()
        if not over.done():
            _, late = await asyncio.wait(clients, timeout=patience(LIMIT_STREAM + 60))
            for task in late:
                self.ledger.fault("no end", task)
            for printer in self.printers:
                await self.simple(ipp.RESUME_PRINTER, printer)
            await self.drain()
            for printer in self.printers:
                await self.states(printer, "completed")
        tasks = self.background + [over]
        while tasks:  # wait_for() of Python 3.11 may swallow a cancel()
            for task in tasks:
                task.cancel()
            _, tasks = await asyncio.wait(tasks, timeout=1)
        if self.server.process.returncode is None:
            await self.server.stop()
        self.judge_spool()

    def judge_spool(self):
        """Nothing waits any more: no document may be left."""
        spool = os.environ["STATE_DIRECTORY"] + "/spool"
        left = [name for name in os.listdir(spool) if name[0] != "."]
        if left:
            self.ledger.fault("documents left", f"{len(left)}: {left[:5]}")

    def report(self):
        self.ledger.judge(self.printers + self.gone)
        if self.options.seconds >= LONG:
            self.judge_usages()
        self.server.look_at_sanitizers()
        counts, faults = self.ledger.counts, self.ledger.faults
        parts = [f"{counts[name]} {name}" for name in (
            "accepted", "printed", "canceled", "aborted with a reason",
            "cut off by the printer", "printed again after an end", "kills",
            "restarts")]
        parts += [f"{counts[name]} {name}" for name in sorted(counts)
                  if not any(part.endswith(" " + name) for part in parts)]
        parts += [f"{faults[name]} {name}" for name in (
            "lost without a reason", "printed twice", "out of order", "crash",
            "hang")]
        parts += [f"{faults[name]} {name}" for name in sorted(faults)
                  if not any(part.endswith(" " + name) for part in parts)]
        o = self.options
        self.say(f"storm: seed {o.seed}, {o.seconds} s, {o.clients} clients, "
                 f"{o.printers} printers: {self.requests} requests, " +
                 ", ".join(parts))
        return not faults


def arguments():
    parser = argparse.ArgumentParser(prog="app-storm")
    parser.add_argument("program")
    parser.add_argument("make_picture")
    parser.add_argument("run", nargs="?", choices=RUNS, default="minute")
    parser.add_argument("--seed", type=int,
                        default=random.randrange(1 << 31))
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--clients", type=int)
    parser.add_argument("--printers", type=int)
    parser.add_argument("--drivers")
    parser.add_argument("--types")
    parser.add_argument("--calm", action="store_true", default=None)
    parser.add_argument("--hard", action="store_true",
                        help="deletions, full disks, jumps of the clock, as an "
                        "hour")
    parser.add_argument("--patience", type=int, default=30,
                        help="seconds without an answer that are a hang")
    options = parser.parse_args()
    names = "seconds", "clients", "printers", "drivers", "types", "calm"
    for name, default in zip(names, RUNS[options.run]):
        if getattr(options, name) is None:
            setattr(options, name, default)
    options.hard = options.hard or options.run == "hour"
    options.types = options.types.split(",")
    options.drivers = options.drivers.split(",")
    return options


async def main():
    storm = Storm(arguments())
    print(f"storm: seed {storm.options.seed}", flush=True)
    await storm.run()
    return storm.report()


sys.exit(0 if asyncio.run(main()) else 1)
