"""Documents of all types for a sheet whose size is a job's mark: what a printer
gets of it has that size, too.

SPDX-License-Identifier: Apache-2.0
"""

import struct
import subprocess

MARKS = 1024
SIDES = 32  # marks are SIDES lengths by SIDES lengths
STEP, SMALLEST = 100, 5080  # of a length, in 1/100 mm: 8 dots at 203 dpi

PNG, JPEG, PWG, URF, PDF, RAW = "png", "jpeg", "pwg", "urf", "pdf", "raw"
TYPES = (PNG, JPEG, PWG, URF, PDF, RAW)

RAW_BEGIN, RAW_END = b"^XA^FXSTORM", b"^FXEND^FS^XZ\n"


def sheet(mark):
    """Its width and height in 1/100 mm."""
    return (SMALLEST + mark // SIDES * STEP, SMALLEST + mark % SIDES * STEP)


def dots(length, dpi):
    return length * dpi // 2540


def mark_of(width, height, dpi):
    """The mark of a page of so many dots, which may be a byte wider; None if
    there is none."""
    across, down = (round((side * 2540 / dpi - SMALLEST - 10) / STEP)
                    for side in (width, height))
    if 0 <= across < SIDES and 0 <= down < SIDES:
        return across * SIDES + down
    return None


def gray_lines(width, height):
    """Light gray, packed as PWG and Apple raster pack it."""
    row = b""
    left = width
    while left > 0:
        run = min(left, 128)
        row += bytes([run - 1, 200])
        left -= run
    out = b""
    while height > 0:
        same = min(height, 256)
        out += bytes([same - 1]) + row
        height -= same
    return out


def pwg(width, height, dpi):
    header = bytearray(1796)
    header[:10] = b"PwgRaster\0"

    def put(at, *numbers):
        struct.pack_into(f">{len(numbers)}I", header, at, *numbers)

    put(276, dpi, dpi)
    put(340, 1)  # copies
    put(352, width * 72 // dpi, height * 72 // dpi)
    put(372, width, height)
    put(384, 8, 8, width, 0, 18)  # bits, bytes a line, chunked, sGray
    put(420, 1)  # colors
    put(452, 1)  # pages
    return b"RaS2" + bytes(header) + gray_lines(width, height)


def urf(width, height, dpi):
    header = struct.pack(">6B6x3I8x", 8, 0, 1, 4, 0, 0, width, height, dpi)
    return (b"UNIRAST\0" + struct.pack(">I", 1) + header +
            gray_lines(width, height))


def pdf(across, down):
    content = b"0.6 g 0 0 9999 9999 re f"
    box = b"%.2f %.2f" % (across * 72 / 2540, down * 72 / 2540)
    parts = [b"<</Type/Catalog/Pages 2 0 R>>",
             b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
             b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 " + box +
             b"]/Contents 4 0 R>>",
             b"<</Length %d>>stream\n%s\nendstream" % (len(content), content)]
    out, at = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        at.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    return (out + b"xref\n0 5\n0000000000 65535 f \n" +
            b"".join(b"%010d 00000 n \n" % place for place in at) +
            b"trailer<</Size 5/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" %
            len(out))


def raw(mark):
    return (RAW_BEGIN + b"%04d" % mark + b"^FS\n" +
            b"^FX" + b"-" * (1000 + mark * 40) + b"^FS\n" + RAW_END)


class Documents:
    """Makes them; pictures are small, and fill the sheet."""

    def __init__(self, make_picture):
        self.pictures = {
            kind: subprocess.run([make_picture, *option, "16", "16"],
                                 check=True, stdout=subprocess.PIPE).stdout
            for kind, option in ((PNG, ["--png"]), (JPEG, []))}

    def make(self, kind, mark, driver):
        """The MIME type and the document."""
        across, down = sheet(mark)
        size = dots(across, driver.dpi), dots(down, driver.dpi), driver.dpi
        if kind in self.pictures:
            return "image/" + kind, self.pictures[kind]
        if kind == PWG:
            return "image/pwg-raster", pwg(*size)
        if kind == URF:
            return "image/urf", urf(*size)
        if kind == PDF:
            return "application/pdf", pdf(across, down)
        return driver.raw, raw(mark)
