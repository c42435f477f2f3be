"""Model printers at sockets: they take pages apart, tell whose mark each has,
and vanish, stall and read slowly when they are told to.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import re
import socket
import struct
import time
from dataclasses import dataclass

from documents import RAW_BEGIN, RAW_END, mark_of
from ipp import ADDRESS
from server import free_port

BUFFER = 4096  # bytes that a printer has got and not read
SLOW_BYTES, SLOW_PAUSE = 100, 0.1  # 1 kB a second
# Of a connection that is cut: bytes that are read at once, seconds without any
# behind the last ones, longer than until TCP sends again what a full buffer did
# not take, and seconds for all that is on its way.
LARGE, QUIET, MOST_LOSS = 1 << 20, 0.5, 3
HEADER = 1796  # of a page of PWG raster
# The longest beginning of a page from which its size is known.
LONGEST_START = 4 + HEADER


@dataclass
class Driver:
    name: str
    dpi: int
    raw: str  # the MIME type of its language


DRIVERS = {driver.name: driver for driver in (
    Driver("zebra-zpl-203", 203, "application/vnd.zebra-zpl"),
    Driver("zebra-zpl-300", 300, "application/vnd.zebra-zpl"),
    Driver("zebra-zpl-600", 600, "application/vnd.zebra-zpl"),
    Driver("zebra-cpcl-203", 203, "application/vnd.zebra-cpcl"),
    Driver("tsc-tspl-203", 203, "application/vnd.tsc-tspl"),
    Driver("tsc-tspl-300", 300, "application/vnd.tsc-tspl"),
    Driver("tsc-tspl-600", 600, "application/vnd.tsc-tspl"),
    Driver("pwg-raster", 300, "application/vnd.cups-raw"))}


@dataclass
class Print:
    """What a printer got of a page."""
    mark: int
    begin: float
    whole: bool = False


# ---- Languages ---------------------------------------------------------------


class Pages:
    """Finds pages in the bytes of one connection; calls begun(mark), with -1
    for a page of no mark, and ended()."""

    start = re.compile(
        rb"RaS2PwgRaster\0|"
        rb"~DGR:PAGE\.GRF,(?P<size>\d+),(?P<row>\d+),\n|" +
        re.escape(RAW_BEGIN) + rb"(?P<raw>\d{4})\^FS\n|"
        rb"\r\nSIZE (?P<mm>[\d.]+) mm,(?P<mm_down>[\d.]+) mm\r\n|"
        rb"! 0 \d+ \d+ (?P<cpcl_down>\d+) \d+\r\nPAGE-WIDTH (?P<cpcl>\d+)"
        rb"\r\n")

    def __init__(self, dpi, begun, ended):
        self.dpi, self.begun, self.ended = dpi, begun, ended
        self.data = bytearray()
        self.step = self.between
        self.rows = self.row_bytes = 0

    def feed(self, data):
        self.data += data
        while self.step():
            pass

    def between(self):
        """Skips what is before a page, such as commands for the printer."""
        found = self.start.search(self.data)
        if found is None:
            del self.data[:-LONGEST_START]
            return False
        if found[0].startswith(b"RaS2"):
            return self.raster_begins(found.start())
        mark, end = self.label(found)
        self.begin(mark)
        self.step = lambda: self.until(end)
        del self.data[:found.end()]
        return True

    def label(self, found):
        """The mark of the page that begins so, and what it ends with."""
        def number(name):
            return int(found[name])
        if found["raw"]:
            return number("raw"), RAW_END
        if found["size"]:
            row = number("row")
            # Its width is known to a byte.
            return (mark_of(8 * row - 3, number("size") // row, self.dpi),
                    b"^IDR:PAGE.GRF^FS\n")
        if found["mm"]:
            return (mark_of(float(found["mm"]), float(found["mm_down"]), 25.4),
                    b"\r\nPRINT 1,")
        return (mark_of(number("cpcl"), number("cpcl_down"), self.dpi),
                b"PRINT\r\n")

    def begin(self, mark):
        self.begun(-1 if mark is None else mark)

    def until(self, end):
        """Skips to the page's end, or to where another one begins."""
        at, other = self.data.find(end), self.start.search(self.data)
        if other is not None and (at < 0 or other.start() < at):
            self.step = self.between
            return True
        if at < 0:
            # Half of the end, or of another beginning, may be there.
            del self.data[:-LONGEST_START]
            return False
        del self.data[:at + len(end)]
        self.ended()
        self.step = self.between
        return True

    def raster_begins(self, at):
        if len(self.data) - at < 4 + HEADER:
            return False
        dpi, width, self.rows, self.row_bytes = (
            struct.unpack_from(">I", self.data, at + 4 + place)[0]
            for place in (276, 372, 376, 392))
        self.begin(mark_of(width, self.rows, dpi))
        del self.data[:at + 4 + HEADER]
        self.step = self.raster_rows
        return True

    def raster_rows(self):
        """Takes one row, which may stand for some; of one bit a dot."""
        data, at, left = self.data, 1, self.row_bytes
        while left > 0:
            if at >= len(data):
                return False
            count = data[at]
            if count < 128:
                at, left = at + 2, left - count - 1
            elif count == 128:
                left = 0
                at += 1
            else:
                at, left = at + 258 - count, left - 257 + count
        if at > len(data):
            return False
        self.rows -= data[0] + 1
        del data[:at]
        if self.rows <= 0:
            self.ended()
            self.step = self.between
        return True


# ---- A printer ---------------------------------------------------------------


taken = set()  # ports of all printers


def own_port():
    """One that stays a printer's while it is away."""
    port = free_port()
    while port in taken:
        port = free_port()
    taken.add(port)
    return port


class Printer:
    """At a port of its own, with one connection at a time. `seen` is called
    with each Print that begins, `lost` with the mark of each that was on its
    way when the printer hung up."""

    def __init__(self, name, driver, seen, lost):
        self.name, self.driver, self.seen, self.lost = name, driver, seen, lost
        self.port = own_port()
        self.line = self.listener = self.pages = self.page = None
        self.reads = asyncio.Event()
        self.reads.set()
        self.slow = False
        self.got = 0  # bytes
        self.cuts = []  # times
        self.serving = None
        self.deleted = False  # somebody has asked for it

    def here(self):
        """Begins to listen, at the same port each time."""
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        self.listener.bind((ADDRESS, self.port))
        self.listener.listen(0)  # one more waits
        self.listener.setblocking(False)
        self.serving = asyncio.get_running_loop().create_task(self.serve())

    @staticmethod
    async def taken(line, take):
        """Returns what take() takes from a socket. Nothing is lost when this is
        cancelled, as by sock_accept() and sock_recv()."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                return take()
            except BlockingIOError:
                ready = asyncio.Event()
                loop.add_reader(line, ready.set)
            try:
                await ready.wait()
            finally:
                loop.remove_reader(line)

    async def serve(self):
        while True:
            self.line, _ = await self.taken(self.listener, self.listener.accept)
            self.line.setblocking(False)
            await self.read(self.line)
            self.line.close()
            self.line = None

    async def vanish(self):
        """Resets all connections, as when somebody pulls the plug."""
        self.serving.cancel()
        await asyncio.gather(self.serving, return_exceptions=True)
        self.cuts.append(time.monotonic())
        lines = [] if self.line is None else [self.line]
        try:
            while True:
                lines.append(self.listener.accept()[0])
        except BlockingIOError:
            self.listener.close()
        if self.page is not None:
            self.lost(self, self.page.mark)
        self.line = self.page = None
        await asyncio.gather(*(self.lose(line) for line in lines))

    async def lose(self, line):
        """Hangs up, and tells what was on its way."""
        pages = Pages(self.driver.dpi, lambda mark: self.lost(self, mark),
                      lambda: None)
        if self.pages is not None:  # a page has begun
            pages.data, pages.step = self.pages.data, pages.between
            self.pages = None
        line.setblocking(False)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, LARGE)
        end = time.monotonic() + MOST_LOSS
        try:
            while time.monotonic() < end:
                data = await asyncio.wait_for(
                    self.taken(line, lambda: line.recv(LARGE)), QUIET)
                if not data:
                    break
                pages.feed(data)
        except (asyncio.TimeoutError, ConnectionError):
            pass
        try:  # what came while this program was busy
            while data := line.recv(LARGE):
                pages.feed(data)
        except OSError:
            pass
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                        struct.pack("ii", 1, 0))
        line.close()

    async def read(self, line):
        """A connection, to its end."""
        def begun(mark):
            self.page = Print(mark, time.monotonic())
            self.seen(self, self.page)

        def ended():
            self.page.whole = True
            self.page = None

        self.page, self.pages = None, Pages(self.driver.dpi, begun, ended)
        try:
            while True:
                await self.reads.wait()
                data = await self.taken(line, lambda: line.recv(
                    SLOW_BYTES if self.slow else BUFFER))
                if not data:
                    break
                self.got += len(data)
                self.pages.feed(data)
                if self.slow:
                    await asyncio.sleep(SLOW_PAUSE)
        except ConnectionError:
            pass  # the server has died
        self.page = self.pages = None

    # ---- What befalls printers ----

    async def is_away(self, seconds):
        await self.vanish()
        await asyncio.sleep(seconds)
        self.here()

    async def stalls(self, seconds):
        self.reads.clear()
        await asyncio.sleep(seconds)
        self.reads.set()

    async def is_slow(self, seconds):
        self.slow = True
        await asyncio.sleep(seconds)
        self.slow = False

    async def hangs_up(self, _):
        await self.vanish()
        self.here()
