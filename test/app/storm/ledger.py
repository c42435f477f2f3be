"""What became of each job: whether it was printed exactly once, in order, or
reported as lost with a reason.

SPDX-License-Identifier: Apache-2.0
"""

import time
from collections import Counter
from dataclasses import dataclass, field

from documents import MARKS
from ipp import ABORTED, CANCELED, COMPLETED, JOB_CANCELED
from server import patience

ENDED = (CANCELED, ABORTED, COMPLETED)
NO_REASON = ("", "Job aborted.")  # PAPPL's own words for none
# Pages that the printer does not see in the connections that it cuts.
IN_A_CUT = 1
# Seconds within which a job's end is seen.
LATE = 5


@dataclass(eq=False)
class Job:
    printer: str
    mark: int
    kind: str
    sent: float  # when its request began
    number: int = 0
    answered: float = 0.0  # when it was accepted, or released at last
    status: int | None = None  # of IPP; None = no answer
    state: int = 0
    message: str = ""
    ended: float = 0.0  # when its end was seen
    cancels: bool = False  # somebody has asked for it
    story: str = ""  # how it was sent
    gave_up: bool = False  # its client went away in mid document
    cut: bool = False  # the printer hung up while it was on its way
    prints: list = field(default_factory=list)

    def accepted(self):
        return self.status is not None and 0 <= self.status < 0x400

    def whole(self):
        return [page for page in self.prints if page.whole]

    def text(self, begun):
        """All of it, in seconds of the storm."""
        prints = [f"a {'page' if p.whole else 'part'} at {p.begin - begun:.3f}"
                  for p in self.prints]
        return (f"{self.printer} job {self.number} ({self.kind}, mark "
                f"{self.mark}, {self.story}, sent {self.sent - begun:.3f}, "
                f"answered {self.answered - begun:.3f} with {self.status}, "
                f"state {self.state} {self.message!r} seen at "
                f"{self.ended - begun:.3f}, printed: {prints})")


class Ledger:
    def __init__(self, say):
        self.say = say
        self.begun = time.monotonic()
        self.jobs = {}  # of each printer, in the order of their requests
        self.marks = {}  # of each printer: jobs by their marks
        self.numbers = {}  # jobs by printer and number
        self.ends = []  # of the server: times, also of kills
        self.deletions = {}  # of printers: when the answer came
        self.counts = Counter()
        self.faults = Counter()

    def add_printer(self, name):
        self.jobs[name] = []
        self.marks[name] = [None] * MARKS

    def fault(self, kind, text):
        self.faults[kind] += 1
        if isinstance(text, Job):
            text = text.text(self.begun)
        if self.faults[kind] <= 10:
            self.say(f"FAULT at {time.monotonic() - self.begun:.1f} s: "
                     f"{kind}: {text}")

    # ---- As it happens ----

    def new_job(self, printer, kind):
        jobs = self.jobs[printer]
        job = Job(printer, len(jobs) % MARKS, kind, time.monotonic())
        jobs.append(job)
        self.marks[printer][job.mark] = job
        return job

    def answer(self, job, status, number):
        job.status, job.number = status, number or 0
        job.answered = time.monotonic()
        if not job.number:
            return
        other = self.numbers.get((job.printer, job.number))
        if other is not None and other.accepted():
            self.fault("number of two", f"{job.text(self.begun)}, "
                       f"{other.text(self.begun)}")
        self.numbers[job.printer, job.number] = job

    def page(self, printer, page):
        """A printer has got the beginning of a page."""
        job = self.marks[printer][page.mark] if page.mark >= 0 else None
        if job is None:
            self.fault("page of no job", f"{printer} {page}")
        else:
            job.prints.append(page)

    def lost(self, printer, mark):
        """A printer has hung up while it would have got the page."""
        job = self.marks[printer][mark] if mark >= 0 else None
        if job is not None:
            job.cut = True

    def state(self, printer, number, state, message):
        job = self.numbers.get((printer, number))
        if job is None or job.state in ENDED:
            return
        job.state, job.message = state, message or ""
        if state in ENDED:
            job.ended = time.monotonic()

    def waiting(self, printer):
        """How many jobs were accepted and have not ended."""
        return sum(job.accepted() and job.state not in ENDED and
                   not job.whole() for job in self.jobs[printer][-MARKS:])

    # ---- At the end ----

    def judge(self, printers):
        for printer in printers:
            cuts = [[cut, IN_A_CUT] for cut in printer.cuts]
            for job in self.jobs[printer.name]:
                self.judge_job(job, cuts)
            self.judge_twice(self.jobs[printer.name])
            self.judge_order(self.jobs[printer.name])

    def judge_job(self, job, cuts):
        gone = job.printer in self.deletions
        if job.status is None:
            self.counts["gave up" if job.gave_up else "unanswered"] += 1
        elif job.status == JOB_CANCELED and (job.cancels or gone):
            self.counts["canceled"] += 1
        elif not job.accepted():
            self.counts["refused"] += 1
            if job.prints:
                self.fault("refused but printed", job)
        else:
            self.counts["accepted"] += 1
            self.judge_accepted(job, cuts)

    def judge_accepted(self, job, cuts):
        gone = self.deletions.get(job.printer)
        if gone is not None and job.sent > gone:
            self.fault("accepted by a deleted printer", job)
        elif gone is not None and not job.whole() and (
                job.state not in (ABORTED, CANCELED, COMPLETED)):
            self.counts["gone with their printer"] += 1
        elif job.state == CANCELED or (job.cancels and job.state == 0 and
                                     not job.whole()):
            self.counts["canceled"] += 1
            if not job.cancels:
                self.fault("canceled by nobody", job)
        elif job.state == ABORTED:
            self.counts["aborted with a reason"] += 1
            if job.message in NO_REASON:
                self.fault("aborted without a reason", job)
        elif job.whole():
            self.counts["printed"] += 1
        elif job.state == COMPLETED and (job.cut or
                                         self.is_in_a_cut(job, cuts)):
            self.counts["cut off by the printer"] += 1
        elif job.state not in (0, COMPLETED):
            self.fault("stuck", job)
        else:
            near = [f"{cut[0] - self.begun:.3f}" for cut in cuts
                    if job.sent <= cut[0] <= job.ended + 2 * patience(LATE)]
            self.fault("lost without a reason",
                       f"{job.text(self.begun)}, cuts at {near}")

    @staticmethod
    def is_in_a_cut(job, cuts):
        """Whether it may have been on its way when the printer hung up."""
        for cut in cuts:
            if job.sent <= cut[0] <= job.ended + patience(LATE) and cut[1] > 0:
                cut[1] -= 1
                return True
        return False

    def judge_twice(self, jobs):
        """An end of the server may have its printer's job in work printed
        again, behind what the printer has still to read."""
        ends = sorted(self.ends)
        again = sorted(((page.begin, job) for job in jobs
                        for page in job.whole()[1:]),
                       key=lambda pair: pair[0])
        for begin, job in again:
            end = next((e for e in ends if job.sent <= e <= begin), None)
            if end is None:
                self.fault("printed twice", job)
            else:
                ends.remove(end)
                self.counts["printed again after an end"] += 1

    def judge_order(self, jobs):
        """A job that was accepted before another one was sent is printed
        before it."""
        printed = sorted((job for job in jobs
                          if job.prints and job.status is not None),
                         key=lambda job: job.prints[0].begin)
        latest = None  # of those printed so far, the one that was sent last
        for job in printed:
            if latest is not None and job.answered < latest.sent:
                self.fault("out of order", f"{job.text(self.begun)} behind "
                           f"{latest.text(self.begun)}")
            if latest is None or job.sent > latest.sent:
                latest = job
