"""IPP over HTTP, as bytes: requests that are right, and what they answer.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import socket
import struct

ADDRESS = "127.0.0.1"

PRINT_JOB, CREATE_JOB, SEND_DOCUMENT, CANCEL_JOB = 2, 5, 6, 8
GET_JOB, GET_JOBS, GET_PRINTER = 9, 10, 11
HOLD_JOB, RELEASE_JOB, PAUSE_PRINTER, RESUME_PRINTER = 12, 13, 16, 17

INTEGER, BOOLEAN, ENUM = 0x21, 0x22, 0x23
COLLECTION, END_COLLECTION, MEMBER = 0x34, 0x37, 0x4A
TEXT, NAME, KEYWORD, URI = 0x41, 0x42, 0x44, 0x45
CHARSET, LANGUAGE, MIME = 0x47, 0x48, 0x49
OPERATION_GROUP, JOB_GROUP, END = 1, 2, 3

BUSY, JOB_CANCELED = 0x0507, 0x0508
PENDING, HELD, PROCESSING, CANCELED, ABORTED, COMPLETED = 3, 4, 5, 7, 8, 9


# ---- Writing -----------------------------------------------------------------


def value(tag, name, data):
    """Encodes one value; numbers have four bytes, truth has one."""
    if isinstance(data, bool):
        data = bytes([data])
    elif isinstance(data, int):
        data = struct.pack(">i", data)
    elif isinstance(data, str):
        data = data.encode()
    return (struct.pack(">BH", tag, len(name)) + name.encode() +
            struct.pack(">H", len(data)) + data)


def collection(name, *members):
    """Encodes one of members (tag, name, value) or of encoded collections."""
    out = value(COLLECTION, name, "")
    for tag, member, data in members:
        out += value(MEMBER, "", member)
        out += data if isinstance(data, bytes) else value(tag, "", data)
    return out + value(END_COLLECTION, "", "")


def media(across, down):
    """A sheet's size in 1/100 mm."""
    return collection(
        "media-col", (COLLECTION, "media-size",
                      collection("", (INTEGER, "x-dimension", across),
                                 (INTEGER, "y-dimension", down))))


def request(operation, printer, *attributes, job=b""):
    """Encodes a request; attributes are encoded, those of the job apart."""
    return (struct.pack(">BBHIB", 2, 0, operation, 1, OPERATION_GROUP) +
            value(CHARSET, "attributes-charset", "utf-8") +
            value(LANGUAGE, "attributes-natural-language", "en") +
            value(URI, "printer-uri", f"ipp://localhost/ipp/print/{printer}") +
            b"".join(attributes) +
            (bytes([JOB_GROUP]) + job if job else b"") + bytes([END]))


def post(printer, size, *more):
    """HTTP's lines before a request; chunked where there is no size."""
    length = ("Transfer-Encoding: chunked" if size is None
              else f"Content-Length: {size}")
    return "\r\n".join([f"POST /ipp/print/{printer} HTTP/1.1",
                        "Host: localhost", "Content-Type: application/ipp",
                        length, *more, "", ""]).encode()


# ---- Reading -----------------------------------------------------------------


def answer_of(body):
    """The status and a list of groups: dictionaries of lists of values."""
    status, at = struct.unpack(">H", body[2:4])[0], 8
    groups, name = [], ""
    while at < len(body) and body[at] != END:
        tag = body[at]
        at += 1
        if tag < 0x10:
            groups.append({})
            continue
        size = struct.unpack_from(">H", body, at)[0]
        name = body[at + 2:at + 2 + size].decode() or name
        at += 2 + size
        size = struct.unpack_from(">H", body, at)[0]
        data = body[at + 2:at + 2 + size]
        at += 2 + size
        groups[-1].setdefault(name, []).append(
            struct.unpack(">i", data)[0] if tag in (INTEGER, ENUM)
            else data.decode("utf-8", "replace"))
    return status, groups


def first(groups, name):
    """The first value of that name, or None."""
    for group in groups:
        if name in group:
            return group[name][0]
    return None


async def http_answer(reader):
    """The status of HTTP and the body."""
    while True:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(lines[0].split()[1])
        if status != 100:
            break
    fields = dict(line.lower().split(": ", 1) for line in lines[1:]
                  if ": " in line)
    if fields.get("transfer-encoding") != "chunked":
        return status, await reader.readexactly(
            int(fields.get("content-length", 0)))
    body = b""
    while (size := int(await reader.readuntil(b"\r\n"), 16)) > 0:
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readuntil(b"\r\n")
    return status, body


class Line:
    """A connection to the server."""

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection(
            ADDRESS, self.port)
        self.writer.get_extra_info("socket").setsockopt(
            socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def ask(self, printer, body, *more):
        """Sends a request whole; returns its status and groups."""
        await self.send(post(printer, len(body), *more) + body)
        return await self.answer()

    async def answer(self):
        status, body = await http_answer(self.reader)
        if status != 200:
            return -status, []
        return answer_of(body)

    async def page(self, path):
        """Gets a web page; returns HTTP's status."""
        await self.send(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .encode())
        return (await http_answer(self.reader))[0]
