/*
 * sizes.cuh - Floyd-Steinberg with drops of several sizes: floyd_sizes(), a
 * kernel of its own in integers, whose letters are those of
 * doc/dev/halftone.md.
 *
 *     grid     a block for each sweep of the band, at most plan.at_once
 *     block    12 warps: the first one diffuses, a lane a row, INKS_LAG columns
 *              behind the row above, and a pixel's inks one after the other; 8
 *              have a thread for each pixel of a piece, and bring it; one is
 *              the fetcher, carry.cuh; 2 leave at once
 *     reads    as floyd(), and band.spans
 *     updates  as floyd(), by the diffusing warp
 *     writes   band.dots, by bytes
 *     shared   sizeof(SizedShared), dynamic; at most 64 KiB
 *
 * Piece n comes in period n + 1, and is diffused in period n + 2.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_GPU_FLOYD_SIZES_CUH
#define HT_GPU_FLOYD_SIZES_CUH

#include "gpu/cuda/floyd/inks_kernel.cuh"
#include "gpu/cuda/tdfed/spans.cuh"

namespace
{

constexpr int SIZED_ROWS = LANES; /* of a sweep */
constexpr int SIZED_WARPS = 12, SIZED_FEEDERS = 8;

/* Shared memory of a block that does up to MOST inks. */
template <int MOST>
struct alignas(16) SizedShared
    : Common<MOST == 1 ? 1 : 2 * MOST, MOST <= GROUP ? 8 : 4, 1> {
    Spans<true> spans;
    /* Holds what no error changes, of even and odd pieces: a; A above; T, but
     * lo if the pixel below takes errors; the number of the span, 16 above; and
     * 24 above pixels that take errors, IN_ROW, .. */
    uint2 pixel[2][SizedShared::PIECE][MOST][SIZED_ROWS];
    int16_t light[2][SizedShared::PIECE][SIZED_ROWS]; /* M; -1: none is left */
};
static_assert(sizeof(SizedShared<HT_MAX_INKS>) <= 64 << 10, "GPUs have it");

enum { IN_ROW = 1, BEHIND = 2, BELOW = 4, AHEAD = 8 };

/* ---- The feeders -------------------------------------------------------- */

/* Brings a pixel of piece n, all inks: `pixel` counts from column to column,
 * then from row to row. */
template <int MOST>
__device__ void bring_pixel(SizedShared<MOST> &shared, const ht_gpu_plan &plan,
                            const ht_gpu_band &band, const Sweep &sweep, int n,
                            int pixel)
{
    const int row = pixel / shared.PIECE, i = pixel % shared.PIECE;
    const int x = n * shared.PIECE + i - row * sweep.lag;
    const size_t in_band = sweep.in_band + row;
    int wanted = HT_ONE, nearness = 0, inks_toned = 0; /* M, O, Q */

    for (int rank = 0; rank < MOST; rank++) {
        const Lane lane = find_lane(plan, band, sweep, 0, row, rank);
        auto takes = [&](const uint8_t *level, int to) {
            return to >= 0 && to < lane.width && ht_toned(level[to]);
        };

        shared.pixel[n % 2][i][rank][row] = {0, 0};
        if (rank >= sweep.inks || x < 0 || x >= lane.width)
            continue;
        const uint32_t ink = plan.first + rank;
        const int tone = lane.tone[x], f = absorption_of(plan, rank);
        const int number =
            band.spans[(in_band * plan.planes + ink) * plan.width + x] >> 8;
        const Span span = shared.spans.span[number];
        const int takers = takes(lane.level, x + 1) * IN_ROW |
                           takes(lane.below, x - 1) * BEHIND |
                           takes(lane.below, x) * BELOW |
                           takes(lane.below, x + 1) * AHEAD;
        int should = 0, threshold = low_of(span);

        if (takers == 0) {
            const uint32_t line = ht_noise_line(band.row + in_band, ink);
            const int any = ht_noise(line, (uint32_t)x) - INT16_MIN;
            threshold += part_of_span(span, (any >> 2) + 1);
        } else if (!(takers & BELOW)) {
            threshold += span.high - tone;
        }
        if (number >= TO_NEXT) {
            const int a = shared.spans.share[number].of_tone(tone);
            const int near =
                (a - plan.meeting.from) * (2 << plan.meeting.steps);

            inks_toned++;
            nearness = max(nearness, min(near, INT16_MAX));
            should = ht_weighted(HT_ONE - wanted, nearness);
            const int part = 2 * ht_weighted(HT_ONE - should, f);
            wanted = max(0, wanted - ht_weighted(part, a));
        } else if (number == SOLID_SPAN) {
            wanted -= ht_weighted(wanted, f);
        }
        shared.pixel[n % 2][i][rank][row] = {
            (uint32_t)(tone | should << 16),
            (uint32_t)(threshold | number << 16 | takers << 24)};
    }
    shared.light[n % 2][i][row] = (int16_t)(inks_toned < 2 ? -1 : wanted);
}

/* ---- The diffusing warp ------------------------------------------------- */

__device__ int within_16(int value)
{
    return max(min(value, INT16_MAX), INT16_MIN);
}

__device__ int within(int value, int limit)
{
    return max(min(value, limit), -limit);
}

/* An ink of a row. E and V are 16 bits each of a word, V above. */
struct SizedInk {
    int f;
    int left, company; /* to the next pixel; company is left_k */
    int behind, below; /* so far, to the next pixels of the row below */
    int kept;          /* V that the last pixel has left */
    uint32_t above;    /* E and V that the next pixel inherits, */
    uint32_t sent;     /* and that the row has left, a column behind */
    uint32_t drops;    /* two bits a column */

    /* Diffuses a pixel where the light `inherited` (U) came from above, and
     * takes what it absorbs of `light` (L). */
    __device__ void diffuse(const Spans<true> &spans, uint2 pixel, bool first,
                            int inherited, int &light)
    {
        const int number = pixel.y >> 16 & 0xff, takers = (int)pixel.y >> 24;
        const Span span = spans.span[number];
        const SpanEnds ends = spans.ends[number];
        const bool toned = number >= TO_NEXT;
        const int u =
            (int)(pixel.x & 0xffff) + within_16(left + (int16_t)above);

        const int q = ht_weighted(light, f);
        const int missing = (int)(pixel.x >> 16) - (HT_ONE - light);
        const int s = first ? 0 : missing + (missing >> 1);
        const int met = first ? 0 : company + ((int)above >> 16);
        const int push = ht_weighted(s, met) - ht_weighted(2 * q, inherited);
        const int t = max(min(HT_ONE / 2 + 2 * push, HT_ONE), 0);
        const int limit = (int)(pixel.y & 0xffff) +
                          part_of_span(span, takers & BELOW ? t : 0);

        const Drop drop = {sign_of(u - limit), sign_of(u - span.beyond),
                           sign_of(span.most - u)};
        const bool larger = toned ? drop.low == 0 : number == SOLID_SPAN;
        const int over = u - span.high + drop.less(span, ends);
        const int held = max(min(over, HT_ONE - 1), -HT_ONE);
        const int e = toned ? held : within(held, HT_ONE / 2) * 3 / 4;
        const int right = takers & IN_ROW ? (7 * e + 8) >> 4 : 0;
        const int back = takers & BEHIND ? (3 * e + 8) >> 4 : 0;
        const int forth = takers & AHEAD ? (e + 8) >> 4 : 0;
        const int more = e - right - back - forth;
        const int to = takers & BELOW || takers == 0 ? BELOW
                       : takers & IN_ROW             ? IN_ROW
                       : takers & BEHIND             ? BEHIND
                                                     : AHEAD;
        const int whole = within_16(behind + back + (to == BEHIND ? more : 0));

        sent = __byte_perm((uint32_t)whole, (uint32_t)kept, 0x5410);
        left = right + (to == IN_ROW ? more : 0);
        behind = below + (to == BELOW ? more : 0);
        below = forth + (to == AHEAD ? more : 0);

        const int v = within(met + (larger ? s : 0), HT_ONE - 1);

        drops = drop.add_to(drops, ends);
        company = toned ? ht_weighted(v, HT_COMPANY_ON) : 0;
        kept = toned ? v - company : 0;
        light -= larger ? q : 0;
    }
};

/* The diffusing warp's part of a sweep. */
template <int MOST>
__device__ void diffuse_sizes(const SizedShared<MOST> &shared,
                              const ht_gpu_plan &plan, const ht_gpu_band &band,
                              const Sweep &sweep)
{
    const Lane lane = find_lane(plan, band, sweep, 0, (int)threadIdx.x, 0);
    const size_t plane = (sweep.in_band + lane.row) * plan.planes + plan.first;
    const size_t width = plan.width, dot_bytes = (width + 3) / 4;
    const uint32_t next = sweep.number + 1;
    SizedInk ink[MOST] = {};
    int light_above = 0, light_left = 0, light_sent; /* U; U' so far; U' */

#pragma unroll
    for (int k = 0; k < MOST; k++)
        ink[k].f = absorption_of(plan, k);
    rest(2);
    for (int step = 0; step < sweep.pieces * shared.PIECE; step++) {
        const int n = step / shared.PIECE, i = step % shared.PIECE;
        const int x = step - lane.lag, from = step & (RING - 1);
        const int wanted = shared.light[n % 2][i][lane.row];
        int light = HT_ONE;
        uint2 pixel[MOST];

#pragma unroll
        for (int k = 0; k < MOST; k++) {
            const float *error = shared.line[0][MOST > 1 ? 2 * k : 0];
            const float *company = shared.line[0][MOST > 1 ? 2 * k + 1 : 0];
            const uint32_t above =
                lower_halves(error[from] + (MAGIC - NO_ERROR),
                             company[from] + (MAGIC - NO_COMPANY));

            pixel[k] = shared.pixel[n % 2][i][k][lane.row];
            ink[k].above = lane.row == 0 ? above : ink[k].above;
        }
        if (MOST > 1 && lane.row == 0)
            light_above = (int)shared.line[0][1][from];
#pragma unroll
        for (int k = 0; k < MOST; k++) {
            if (k % GROUP == 0 && k >= sweep.inks)
                break;
            ink[k].diffuse(shared.spans, pixel[k], k == 0, light_above, light);
        }
        const int m = within(light_above + light - wanted, HT_ONE - 1);
        light_sent = light_left + (wanted < 0 ? 0 : m >> 1);
        light_left = wanted < 0 ? 0 : m - (m >> 1);
        if (MOST > 1)
            light_above = __shfl_up_sync(ALL, light_sent, 1);
#pragma unroll
        for (int k = 0; k < MOST; k++)
            ink[k].above = __shfl_up_sync(ALL, ink[k].sent, 1);
        if (lane.last_row && x > 0 && x <= sweep.width) {
            uint32_t *line = band.line + plan.first * width + x - 1;
#pragma unroll
            for (int k = 0; k < MOST; k++, line += width) {
                if (k < sweep.inks)
                    store_relaxed(line, error_word((int)ink[k].sent, next));
                if (k > 0 && k < sweep.inks)
                    store_relaxed(line + (plan.planes - 1) * width,
                                  error_word((int)ink[k].sent >> 16, next));
            }
            if (sweep.inks > 1)
                store_relaxed(band.line + (2 * plan.planes - 1) * width + x - 1,
                              error_word(light_sent, next));
        }
        if (band.dots != NULL && x >= 0 && x < lane.width &&
            (x % 4 == 3 || x + 1 == lane.width)) {
            uint8_t *to = band.dots + plane * dot_bytes + x / 4;
#pragma unroll
            for (int k = 0; k < MOST; k++, to += dot_bytes)
                if (k < sweep.inks)
                    *to = (uint8_t)(ink[k].drops << 2 * (3 - x % 4));
        }
        if (i == shared.PIECE - 1)
            next_period();
    }
    rest(1);
}

/* ---- The kernel --------------------------------------------------------- */

template <int MOST>
__global__ __launch_bounds__(SIZED_WARPS *LANES, 1) void floyd_sizes(
    const __grid_constant__ ht_gpu_plan plan,
    const __grid_constant__ ht_gpu_band band, uint32_t tickets)
{
    auto &shared = *(SizedShared<MOST> *)shared_memory();
    const int warp = uniform((int)threadIdx.x / LANES);
    const int helper = warp - 1 - warp / SCHEDULERS;

    if (warp > 0 && warp % SCHEDULERS == 0)
        return;
    if (threadIdx.x < SPANS)
        shared.spans.fill(plan.sizes, (int)threadIdx.x);
    if (threadIdx.x == 0)
        shared.stopped = false;
    for (;;) {
        if (threadIdx.x == 0)
            shared.ticket =
                shared.stopped ? tickets : atomicAdd(band.ticket, 1);
        meet_block();
        const uint32_t ticket = uniform(shared.ticket);
        if (ticket >= tickets)
            return;

        const Sweep sweep =
            find_sweep(plan, band, ticket, INKS_LAG, shared.PIECE, 1);
        if (warp == 0) {
            diffuse_sizes(shared, plan, band, sweep);
        } else if (helper == SIZED_FEEDERS) {
            fetch_sweep(shared, plan, band, sweep);
        } else {
            const int pixel = helper * LANES + (int)threadIdx.x % LANES;

            rest(1);
            for (int n = 0; n < sweep.pieces; n++) {
                if (pixel < SIZED_ROWS * shared.PIECE)
                    bring_pixel(shared, plan, band, sweep, n, pixel);
                next_period();
            }
            rest(2);
        }
    }
}

} // namespace

#endif
