"""The server: starts, ends, dies, and is looked after.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import ctypes
import glob
import os
import random
import re
import resource
import signal
import socket
import subprocess
import time

from ipp import ADDRESS

said = re.compile(rb"^SUMMARY: (Address|Thread|Undefined)|: runtime error: ")

POKE = 0.2  # seconds; PAPPL looks whether it is to end when somebody connects
START = 30  # seconds of patience(), and with a sanitizer
END = 90  # PAPPL gives its jobs a minute


def patience(seconds):
    """As many times longer as others keep the processors: test/tap.sh."""
    processors = len(os.sched_getaffinity(0))
    return (seconds * float(os.environ.get("TEST_PATIENCE", 1)) *
            (processors + os.getloadavg()[0]) / processors)


def prepare():
    """What the server has from its beginning: it ends with this program, and
    leaves a core when it crashes."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY,) * 2)


class Server:
    """`folder` gets its log, and what a debugger says of it."""

    def __init__(self, program, port, folder, ledger):
        self.program, self.port, self.folder = program, port, folder
        self.ledger = ledger
        self.process = None
        self.up = asyncio.Event()
        self.starts = 0
        self.wanted_end = False
        self.over = asyncio.Event()  # it cannot be started again
        self.environment = dict(os.environ)
        self.clock = f"{folder}/clock"

    def has_clock(self):
        """Gives it a clock that can be set, by libfaketime; False without."""
        found = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
        if found:
            self.set_clock(0)
            self.environment.update(
                LD_PRELOAD=found[0], FAKETIME_TIMESTAMP_FILE=self.clock,
                FAKETIME_CACHE_DURATION="1", FAKETIME_DONT_FAKE_MONOTONIC="1",
                FAKETIME_DONT_RESET="1")
        return bool(found)

    def set_clock(self, seconds):
        """Sets its clock so many seconds ahead."""
        with open(self.clock + ".new", "w") as file:
            file.write(f"{seconds:+d}\n")
        os.rename(self.clock + ".new", self.clock)

    def usage(self):
        """Its memory in MB, open files, threads."""
        of = f"/proc/{self.process.pid}"
        with open(f"{of}/smaps_rollup") as file:
            sizes = dict(line.split()[:2] for line in file if "kB" in line)
        return (int(sizes["Pss:"]) / 1e3, len(os.listdir(f"{of}/fd")),
                len(os.listdir(f"{of}/task")))

    async def start(self):
        self.starts += 1
        with open(f"{self.folder}/app.log", "ab") as out:
            self.process = await asyncio.create_subprocess_exec(
                self.program, "server", "-o", f"server-port={self.port}",
                "-o", "listen-hostname=localhost",
                "-o", "server-options=no-tls",
                "-o", "log-file=-", "-o", "log-level=info",
                stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                env=self.environment, preexec_fn=prepare)
        self.wanted_end = False
        begun = time.monotonic()
        while (self.process.returncode is None and
               time.monotonic() - begun < patience(START)):
            if await self.poke():
                self.up.set()
                return
            await asyncio.sleep(0.05)
        self.ledger.fault("no start", f"status {self.process.returncode}")
        self.over.set()

    async def poke(self):
        """Whether it takes connections."""
        try:
            _, writer = await asyncio.open_connection(ADDRESS, self.port)
            writer.close()
            return True
        except OSError:
            return False

    async def ended(self):
        while self.process.returncode is None:
            await self.poke()
            try:
                await asyncio.wait_for(self.process.wait(), POKE)
            except asyncio.TimeoutError:
                pass

    async def stop(self):
        """Ends it as its user does."""
        self.wanted_end = True
        self.up.clear()
        self.ledger.ends.append(time.monotonic())
        self.process.send_signal(signal.SIGTERM)
        try:
            await asyncio.wait_for(self.ended(), limit := patience(END))
        except asyncio.TimeoutError:
            await self.hang(f"it does not end in {limit:.0f} s")
            return
        if self.process.returncode != 0:
            await self.crashed()

    async def kill(self):
        """As a loss of power does."""
        self.wanted_end = True
        self.up.clear()
        self.ledger.ends.append(time.monotonic())
        self.process.kill()
        await self.process.wait()

    async def watch(self):
        """Starts it again when it has crashed."""
        while not self.over.is_set():
            await asyncio.sleep(0.1)
            if self.process.returncode is not None and not self.wanted_end:
                self.wanted_end = True
                self.up.clear()
                self.ledger.ends.append(time.monotonic())
                await self.crashed()
                await self.start()

    async def crashed(self):
        status = self.process.returncode
        self.ledger.fault("crash", f"status {status}, see crash-"
                          f"{self.starts}.txt")
        await self.debug(f"crash-{self.starts}.txt",
                         "core", ["bt 30"])

    async def hang(self, why):
        """Says where each thread is, and begins anew."""
        if self.process.returncode is not None:
            return
        name = f"hang-{self.starts}.txt"
        self.ledger.fault("hang", f"{why}, see {name}")
        self.wanted_end = True
        self.up.clear()
        await self.debug(name, str(self.process.pid),
                         ["thread apply all bt 20"])
        if self.process.returncode is None:
            await self.kill()

    def look_at_sanitizers(self):
        """What they have said is a fault each."""
        with open(f"{self.folder}/app.log", "rb") as log:
            for line in log:
                if said.search(line):
                    self.ledger.fault("sanitizer", line.decode().strip())

    async def debug(self, name, what, commands):
        commands = [part for c in commands for part in ("-ex", c)]
        with open(f"{self.folder}/{name}", "wb") as out:
            try:
                gdb = await asyncio.create_subprocess_exec(
                    "gdb", "-batch", "-nx", *commands, self.program, what,
                    stdin=subprocess.DEVNULL, stdout=out,
                    stderr=subprocess.STDOUT)
            except FileNotFoundError:
                out.write(b"no gdb\n")
                return
            await gdb.wait()


def free_port():
    """One below those that Linux gives to clients: while the server is down, a
    client could take one of these, even by connecting to it."""
    while True:
        port = random.randrange(10000, 32768)
        with socket.socket() as probe:
            if probe.connect_ex((ADDRESS, port)):
                return port
