"""Sends mutants to a server that runs, which stays; run by test/app/app-hostile.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass

sys.dont_write_bytecode = True
import ipp  # noqa: E402, beside this file
import mutants  # noqa: E402
from documents import Documents  # noqa: E402
from ipp import Line, value  # noqa: E402
from ledger import Ledger  # noqa: E402
from printers import DRIVERS, Driver  # noqa: E402
from server import Server, free_port, patience  # noqa: E402

MORE_DRIVERS = (Driver("hp-pcl3", 300, "application/vnd.hp-pcl"),
                Driver("dymo-label", 300, "application/vnd.dymo-label"))
NOT_FOUND = 0x0406
TIDY = 250  # requests after which printers are put right again
ANSWER = 10  # seconds to wait for what may not be a whole request


@dataclass
class Target:
    name: str
    driver: Driver


class Hostile:
    def __init__(self, options):
        self.options = options
        self.ledger = Ledger(lambda text: print(text, flush=True))
        self.server = Server(options.program, free_port(), os.getcwd(),
                             self.ledger)
        self.documents = Documents(options.make_picture)
        self.targets = [Target(driver.name, driver) for driver in
                        (*DRIVERS.values(), *MORE_DRIVERS)]
        self.next, self.end = options.first, 0
        self.counts = Counter()

    async def ask(self, printer, body):
        """Returns IPP's status and groups; -1 where there is no answer."""
        await self.server.up.wait()
        try:
            async with Line(self.server.port) as line:
                await line.send(ipp.post(printer, len(body)) + body)
                line.writer.write_eof()
                return await asyncio.wait_for(line.answer(), patience(ANSWER))
        except asyncio.TimeoutError:
            self.counts["not answered in time"] += 1
        except (OSError, EOFError, ValueError, IndexError):
            self.counts["connection ended"] += 1
        return -1, []

    async def client(self):
        end = self.options.first + self.options.count
        while self.next < end and time.monotonic() < self.end:
            number = self.next
            self.next += 1
            printer, body = mutants.make(self.options.seed, number,
                                         self.targets, self.documents)
            crashes = self.server.starts
            status, groups = await self.ask(printer, body)
            self.counts["requests"] += 1
            if 0 <= status < 0x400 and ipp.first(groups, "job-id"):
                made = body[2:4] in (b"\0\2", b"\0\5")
                self.counts["jobs"] += made
            if crashes != self.server.starts:
                print(f"while the server died: request {number}", flush=True)
            if number % TIDY == TIDY - 1:
                await self.tidy()

    async def tidy(self):
        """Undoes what requests may ask for, and looks whether each printer
        answers."""
        for target in self.targets:
            for operation in (ipp.RESUME_PRINTER, 0x22, 0x26, 0x38,
                              ipp.GET_PRINTER):
                status, _ = await self.ask(target.name, ipp.request(
                    operation, target.name,
                    value(ipp.NAME, "requesting-user-name", "tidy")))
            if status == NOT_FOUND:  # behind a crash
                await self.add(target)
            elif status != 0 and self.server.up.is_set():
                self.ledger.fault("bad answer", f"{target.name} answers "
                                  f"{status:#06x}, behind {self.next}")
                if status == -1:
                    await self.server.hang("the server is silent")
                    await self.server.start()

    async def add(self, target):
        adding = await asyncio.create_subprocess_exec(
            self.options.program, "add", "-d", target.name, "-m",
            target.driver.name, "-v", "file:///dev/null")
        if await adding.wait() != 0:
            sys.exit("a printer cannot be added")

    async def run(self):
        begun = time.monotonic()
        self.end = begun + self.options.seconds
        await self.server.start()
        for target in self.targets:
            await self.add(target)
        watch = asyncio.create_task(self.server.watch())
        over = asyncio.create_task(self.server.over.wait())
        clients = asyncio.gather(*(self.client()
                                   for _ in range(self.options.clients)))
        await asyncio.wait([over, clients],
                           return_when=asyncio.FIRST_COMPLETED)
        if not over.done():
            await clients
            await self.tidy()
        for task in (over, clients, watch):
            task.cancel()
        if self.server.process.returncode is None:
            await self.server.stop()
        self.server.look_at_sanitizers()
        self.counts["seconds"] = round(time.monotonic() - begun)

    def report(self):
        faults = self.ledger.faults
        few = self.counts["jobs"] * 3 < self.counts["requests"]
        print(f"hostile: seed {self.options.seed}, " + ", ".join(
            f"{count} {name}" for name, count in
            [*self.counts.items(), *faults.items()]) +
            ("; fewer than a third are jobs" if few else ""), flush=True)
        return not faults and not few


def arguments():
    parser = argparse.ArgumentParser(prog="app-hostile")
    parser.add_argument("program")
    parser.add_argument("make_picture")
    parser.add_argument("count", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    return parser.parse_args()


async def main():
    hostile = Hostile(arguments())
    await hostile.run()
    return hostile.report()


sys.exit(0 if asyncio.run(main()) else 1)
