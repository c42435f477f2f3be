/*
 * contest.c - rounds, medians.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>

#include "lab/bench/contest.h"

void contest_add(struct contest *contest, const struct contender *contender)
{
    assert(contest->count < MAX_CONTENDERS);
    contest->contender[contest->count++] = *contender;
}

static bool has_had_its_runs(const struct contender *c)
{
    return c->failed || c->runs == MAX_RUNS ||
           (c->runs >= c->least && c->sum >= c->budget) ||
           (c->runs > 0 && c->budget > 0 && c->sum >= 10 * c->budget);
}

static void run_once(struct contender *c)
{
    double before = busy(), took = c->run(c->context);

    c->failed = took < 0;
    if (!c->failed && (c->warm || took >= c->budget / 10)) {
        c->seconds[c->runs++] = took;
        c->sum += took;
        c->busy += busy() - before;
    }
    c->warm = true;
}

static void report_contender(struct contender *c, struct bench_report *report)
{
    if (c->failed) {
        report_missing(report, c->result.name, c->else_missing);
        return;
    }
    sort_ascending(c->seconds, c->runs);
    c->result.timing = (struct timing){.median = c->seconds[c->runs / 2],
                                       .least = c->seconds[0],
                                       .most = c->seconds[c->runs - 1],
                                       .busy = c->busy / c->runs,
                                       .runs = c->runs};
    report_add(report, &c->result);
}

bool contest_run(struct contest *contest, struct bench_report *report)
{
    bool going_on = true;

    while (going_on) {
        going_on = false;
        for (unsigned i = 0; i < contest->count; i++) {
            struct contender *c = &contest->contender[i];

            if (has_had_its_runs(c))
                continue;
            run_once(c);
            if (c->failed && c->else_missing == NULL)
                return false;
            going_on = true;
        }
    }
    for (unsigned i = 0; i < contest->count; i++)
        report_contender(&contest->contender[i], report);
    return true;
}
