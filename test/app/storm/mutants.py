"""Requests that are nearly right, and documents that are: one of each by its
number, the same each time.

SPDX-License-Identifier: Apache-2.0
"""

import random
import struct

import ipp
from documents import PDF, TYPES, sheet
from ipp import value

# Of Print-Job, Validate-Job and Create-Job: tags, names and values.
TICKET = (
    (ipp.INTEGER, "copies", 1), (ipp.INTEGER, "job-priority", 50),
    (ipp.KEYWORD, "sides", "one-sided"), (ipp.ENUM, "print-quality", 3),
    (ipp.ENUM, "orientation-requested", 4), (ipp.KEYWORD, "media", "na_letter"),
    (ipp.KEYWORD, "print-scaling", "fit"), (ipp.ENUM, "finishings", 3),
    (ipp.KEYWORD, "print-color-mode", "monochrome"),
    (ipp.KEYWORD, "print-content-optimize", "photo"),
    (ipp.KEYWORD, "output-bin", "center"), (ipp.INTEGER, "print-darkness", 10),
    (ipp.INTEGER, "print-speed", 5080),
    (0x32, "printer-resolution", struct.pack(">iib", 203, 203, 3)),
    (0x33, "page-ranges", struct.pack(">ii", 1, 1)),
    (ipp.KEYWORD, "multiple-document-handling",
     "separate-documents-collated-copies"),
    (ipp.KEYWORD, "halftone-mode", "Screen"),
    (ipp.INTEGER, "halftone-gamma", 120),
    (ipp.KEYWORD, "halftone-lines", "auto"))

DEFAULTS = (
    (ipp.TEXT, "printer-info", "here"), (ipp.TEXT, "printer-location", "there"),
    (ipp.URI, "printer-geo-location", "geo:1,2"),
    (ipp.KEYWORD, "sides-default", "one-sided"),
    (ipp.ENUM, "print-quality-default", 4),
    (ipp.KEYWORD, "print-color-mode-default", "auto"),
    (ipp.KEYWORD, "label-mode-configured", "tear-off"),
    (ipp.INTEGER, "label-tear-offset-configured", 0),
    (ipp.INTEGER, "printer-darkness-configured", 50),
    (ipp.INTEGER, "halftone-gamma-default", 100))

# Operations beside those for jobs, with what they take.
OTHERS = (
    (ipp.GET_PRINTER, ()), (ipp.GET_JOBS, ((ipp.KEYWORD, "which-jobs", "all"),
                                           (ipp.INTEGER, "limit", 10))),
    (0x13, DEFAULTS),  # Set-Printer-Attributes
    (0x15, ()),  # Get-Printer-Supported-Values
    (0x16, ((ipp.KEYWORD, "notify-pull-method", "ippget"),
            (ipp.KEYWORD, "notify-events", "job-completed"),
            (ipp.INTEGER, "notify-lease-duration", 2))),
    (0x18, ((ipp.INTEGER, "notify-subscription-id", 1),)),
    (0x19, ()), (0x1A, ((ipp.INTEGER, "notify-subscription-id", 1),)),
    (0x1C, ((ipp.INTEGER, "notify-subscription-ids", 1),
            (ipp.BOOLEAN, "notify-wait", False))),
    (0x38, ()), (0x39, ()),  # Cancel-Jobs, Cancel-My-Jobs
    (0x3C, ((ipp.KEYWORD, "identify-actions", "display"),)),
    (0x4C, ((ipp.NAME, "printer-name", "more"),
            (ipp.KEYWORD, "smi55357-driver", "zebra-zpl-203"),
            (ipp.URI, "smi55357-device-uri", "file:///dev/null"))),
    (0x4F, ()), (0x5B, ()),  # Get-Printers, Get-System-Attributes
    (0x62, ((ipp.TEXT, "system-location", "x"),)),  # Set-System-Attributes
    (0x4002, ()))

OF_JOBS = (ipp.CANCEL_JOB, ipp.GET_JOB, ipp.HOLD_JOB, ipp.RELEASE_JOB, 0x3B)

# Not asked of a server that is to stay: Delete-Printer, Shutdown-All-Printers,
# and Find-Devices, which takes seconds.
NEVER = (0x4E, 0x65, 0x402B, 0x402C)

EXTREMES = (0, 1, -1, 2, 0x7FFFFFFF, -0x80000000, 65535, 65536, 100000)
WORDS = ("none", "auto", "all", "custom_min_1x1mm", "custom_9999x9999in",
         "%s%n", "../../../../etc/passwd", "no-hold", "indefinite", "gzip",
         "deflate", "application/octet-stream", "image/urf", "")


def media(chance):
    """media-col, of which parts are missing or too many."""
    parts = [
        (ipp.COLLECTION, "media-size", ipp.collection(
            "",
            (ipp.INTEGER, "x-dimension", chance.choice((5080, 5000, -1, 0))),
            (ipp.INTEGER, "y-dimension", chance.choice((5080, 2**31 - 1))))),
        (ipp.KEYWORD, "media-source", "main-roll"),
        (ipp.KEYWORD, "media-type", "labels"),
        (ipp.KEYWORD, "media-tracking", "gap"),
        (ipp.INTEGER, "media-top-margin", 0),
        (ipp.INTEGER, "media-left-offset", chance.choice(EXTREMES)),
        (ipp.KEYWORD, "media-size-name", "na_index-4x6_4x6in")]
    return ipp.collection("media-col", *chance.sample(parts, 3))


# ---- Attributes --------------------------------------------------------------


class Request:
    """Parts are bytes, or (tag, name, value)."""

    def __init__(self, operation, printer, chance):
        self.operation, self.version = operation, (2, 0)
        self.parts = [
            bytes([ipp.OPERATION_GROUP]),
            (ipp.CHARSET, "attributes-charset", "utf-8"),
            (ipp.LANGUAGE, "attributes-natural-language", "en"),
            (ipp.URI, "printer-uri", f"ipp://localhost/ipp/print/{printer}"),
            (ipp.NAME, "requesting-user-name", chance.choice("abc"))]

    def add(self, *parts):
        self.parts += parts

    def encode(self):
        return (struct.pack(">BBHI", *self.version, self.operation, 1) +
                b"".join(part if isinstance(part, bytes) else value(*part)
                         for part in self.parts) + bytes([ipp.END]))


def as_bytes(data):
    if isinstance(data, bytes):
        return data
    if isinstance(data, bool):
        return bytes([data])
    return struct.pack(">i", data) if isinstance(data, int) else data.encode()


def another_value(chance, tag, name, data):
    kind = chance.randrange(6)
    if kind == 0:
        return tag, name, chance.choice(EXTREMES)
    if kind == 1:
        return tag, name, chance.choice(WORDS)
    if kind == 2:
        return tag, name, "x" * chance.choice((63, 127, 255, 256, 1023, 1024,
                                               4000, 32767))
    if kind == 3:
        return tag, name, chance.randbytes(chance.randrange(40))
    data = bytearray(as_bytes(data))
    if data and kind == 4:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return tag, name, bytes(data[:chance.randrange(len(data) + 1)]
                            if kind == 5 else data)


def mutate_part(chance, request):
    at = chance.randrange(len(request.parts))
    part = request.parts[at]
    kind = chance.randrange(9)
    if kind == 0:
        del request.parts[at]
    elif kind == 1:
        request.parts.insert(at, part)
    elif kind == 2:
        request.parts.insert(chance.randrange(len(request.parts)),
                             bytes([chance.choice((0, 1, 2, 4, 5, 6, 9, 15))]))
    elif kind == 3:
        request.parts.insert(at, (chance.choice((0x34, 0x37, 0x4A)), "",
                                  chance.choice(WORDS)))
    elif isinstance(part, bytes):
        return
    elif kind == 4:
        request.parts[at] = (chance.randrange(0x10, 0x80), *part[1:])
    elif kind == 5:
        request.parts[at] = (part[0], chance.choice(
            (part[1][1:], part[1] * 9, "job-id", "")), part[2])
    else:
        request.parts[at] = another_value(chance, *part)


def mutate_request(chance, request):
    """Returns its bytes, of which some more may be wrong."""
    for _ in range(chance.choice((1, 1, 1, 2, 5))):
        mutate_part(chance, request)
    if chance.random() < 0.05:
        request.operation = chance.randrange(0x70)
    if chance.random() < 0.03:
        request.version = chance.randrange(256), chance.randrange(256)
    if request.operation in NEVER:
        request.operation = ipp.GET_PRINTER
    data = bytearray(request.encode())
    if chance.random() < 0.15:  # a length, or whatever it is
        data[chance.randrange(8, len(data))] = chance.randrange(256)
    if chance.random() < 0.03:
        del data[chance.randrange(8, len(data)):]
    return bytes(data)


# ---- Documents ---------------------------------------------------------------


def mutate_document(chance, data):
    """Most of what is wrong is in the headers."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        near = min(len(data), chance.choice((64, 600, 2000, 10**6)))
        at = chance.randrange(near)
        kind = chance.randrange(5)
        if kind == 0:
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            data[at] = chance.choice((0, 1, 127, 128, 255))
        elif kind == 2:
            at -= at % 4
            data[at:at + 4] = struct.pack(">i", chance.choice(EXTREMES))
        elif kind == 3:
            data[at:at] = data[:chance.randrange(50)]
        elif chance.random() < 0.3:
            del data[at:]
        if not data:
            break
    return bytes(data)


# ---- A request by its number -------------------------------------------------


def job_request(chance, printer, documents, operation):
    """The request and its document. PDF is rare: a RIP takes its time."""
    kind = chance.choice(TYPES)
    if kind == PDF and chance.random() > 0.05:
        kind = chance.choice(TYPES[:2])
    mime, document = documents.make(kind, chance.randrange(64), printer.driver)
    request = Request(operation, printer.name, chance)
    request.add((ipp.NAME, "job-name", "mutant"))
    if operation != ipp.CREATE_JOB:
        request.add((ipp.MIME, "document-format", chance.choice(
            (mime, mime, mime, "application/octet-stream"))))
    request.add(bytes([ipp.JOB_GROUP]))
    if chance.random() < 0.5:
        request.add(*chance.sample(TICKET, chance.randrange(1, 5)))
    request.add(media(chance) if chance.random() < 0.2
                else ipp.media(*sheet(0)))
    return request, document if operation == ipp.PRINT_JOB else b""


def send_request(chance, printer, documents):
    request = Request(ipp.SEND_DOCUMENT, printer.name, chance)
    mime, document = documents.make(chance.choice(TYPES[:2]), 0, printer.driver)
    request.add((ipp.INTEGER, "job-id", chance.randrange(1, 3000)),
                (ipp.MIME, "document-format", mime),
                (ipp.BOOLEAN, "last-document", True))
    return request, document


def make(seed, number, printers, documents):
    """Returns a printer's name and a request's bytes."""
    chance = random.Random(f"{seed} {number}")
    printer = chance.choice(printers)
    kind = chance.random()
    if kind < 0.72:
        request, document = job_request(chance, printer, documents,
                                        ipp.PRINT_JOB)
    elif kind < 0.80:
        request, document = job_request(chance, printer, documents,
                                        chance.choice((4, ipp.CREATE_JOB)))
    elif kind < 0.84:
        request, document = send_request(chance, printer, documents)
    elif kind < 0.88:
        request, document = Request(chance.choice(OF_JOBS), printer.name,
                                    chance), b""
        request.add((ipp.INTEGER, "job-id", chance.randrange(1, 3000)))
    else:
        operation, parts = chance.choice(OTHERS)
        request, document = Request(operation, printer.name, chance), b""
        group = {0x13: 4, 0x4C: 4, 0x62: 10, 0x16: 6}.get(operation)
        request.add(*([bytes([group])] if group else []), *parts)
    if document and chance.random() < 0.6:
        document = mutate_document(chance, document)
        return printer.name, request.encode() + document
    return printer.name, mutate_request(chance, request) + document
