/*
 * sweep.cuh - Floyd-Steinberg's kernel, what a diffusing warp does: chunk after
 * chunk of a sweep, each with the care that it needs. The __global__ function
 * around it is in floyd.cu.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_SWEEP_CUH
#define HT_GPU_FLOYD_SWEEP_CUH

#include "gpu/cuda/floyd/general.cuh"

namespace
{

/* Returns the care that the chunk whose first step is `first` needs, of a team
 * whose last row begins at step `last_begin`. */
__device__ Care care_of(int content, int first, int last_begin)
{
    const bool begins = first <= last_begin, ends = content & ENDED;
    const bool alone = content & BOTTOM;

    return (content & SPECIAL) || (begins && ends) ? GENERAL
           : alone && (begins || ends)             ? GENERAL
           : begins                                ? BEGIN
           : ends                                  ? END
           : alone                                 ? ALONE
                                                   : PLAIN;
}

/* Watches for chunks that may inherit errors above LARGE, of which inks: pixels
 * beside white and solid ones leave such errors. Errors of the page's last
 * column, which may always be that large, do not count: chunks with END are
 * made for them. */
struct Watch {
    const uint32_t *above; /* inks of even and odd chunks, by the fetcher or the
                              team above, */
    int ahead;             /* which has come so many chunks further */
    int team;
    uint32_t unusual; /* inks of which the chunk before left other errors */

    template <class S>
    __device__ Watch(const S &shared, const Sweep &sweep, int team)
        : above(team == 0 ? shared.large : shared.unusual[team - 1]),
          ahead(team == 0 ? 0 : sweep.team_lag - 1), team(team), unusual(0)
    {
    }

    /* Returns the inks of which errors that come into chunk n may be large. */
    __device__ uint32_t large(int n) const
    {
        return above[(n + ahead) % 2] | unusual;
    }

    /* Notes of which inks chunk n has left unusual errors, for the next chunk
     * and the team below. */
    template <class S> __device__ void note(S &shared, int n, uint32_t inks)
    {
        shared.unusual[team][n % 2] = unusual | inks;
        unusual = inks;
    }
};

/* A team's part of a sweep: its chunks, one each period. */
__device__ void diffuse_sweep(Shared &shared, const Sweep &sweep,
                              const Lane &lane, int team)
{
    const int chunks = pieces_of(sweep, team), self = lane.index;
    const Neighbours next_to = find_neighbours(shared, sweep, lane, team);
    Watch watch(shared, sweep, team);
    Carried chain;
    Pixels pixels;
    Targets targets = {};

    chain.clear();
    rest(team * sweep.team_lag + 1);
    int content = shared.stage[team][0].content;
    Care care = care_of(content, 0, next_to.last_begin);
    pixels.tone.load(shared.stage[team][0].tone[self]);
    pixels.load_limits(shared.stage[team][0], self, content);
    targets = shared.stage[team][0].targets[self];
    next_period();
    for (int n = 0, first = 0; n < chunks; n++, first += CHUNK) {
        const Stage &next = shared.stage[team][(n + 1) % 2];
        const int next_content = next.content;
        const float *tones = next.tone[self];
        Numbers top;
        uint32_t dots = 0;

        top.load(next_to.tops + (first & (RING - 1) & next_to.tops_go));
        bool usual = !(content & SPECIAL);
        if (watch.large(n))
            care = GENERAL;
        if (care == PLAIN)
            dots = diffuse_chunk<PLAIN>(pixels.tone, tones, top, next_to, first,
                                        false, chain);
        else if (care == BEGIN)
            dots = diffuse_chunk<BEGIN>(pixels.tone, tones, top, next_to, first,
                                        false, chain);
        else if (care == END)
            dots = diffuse_chunk<END>(pixels.tone, tones, top, next_to, first,
                                      false, chain);
        else if (care == ALONE)
            dots = diffuse_chunk<ALONE>(pixels.tone, tones, top, next_to, first,
                                        targets.below == 0, chain);
        else if (!(content & INKED) && nothing_comes(next_to, top, chain)) {
            leave_blank(next_to, first);
            pixels.tone.load(tones);
            usual = true;
        } else {
            dots = diffuse_targets(pixels, targets, top, next_to, first, chain);
            pixels.tone.load(tones);
        }
        watch.note(shared, n, !usual);
        shared.dots[team][n % 2][self] = dots;
        pixels.load_limits(next, self, next_content);
        targets = next.targets[self];
        content = next_content;
        care = care_of(content, first + CHUNK, next_to.last_begin);
        next_period();
    }
    rest(1);
}

} // namespace

#endif
