/*
 * sums.cu - tables of sums, written once and never read.
 *
 * The page is cut into bands of rows. A block has a band of a plane: whole
 * rows, several pixels a thread, as in the paper. A thread keeps the sums of
 * its columns in registers, so a row of the table is the sums along a row of
 * these, and no pass down the columns of the table is left. The columns above a
 * band are counted before.
 *
 * add_columns: grid planes * bands, block some warps, no shared memory.
 * add_bands: each.cuh's grid, a thread for each column of each plane. sum_rows:
 * grid and block as add_columns; shared: Totals. Nobody waits but for its own
 * block.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "gpu/cuda/each.cuh"
#include "gpu/cuda/ptx.cuh"
#include "gpu/cuda/sums.h"
#include "gpu/cuda/warp.cuh"

namespace
{

constexpr unsigned PIXELS = HT_SUMS_PIXELS; /* side by side: 16 bytes of sums */
constexpr unsigned WARPS = 32;              /* most of a block */
constexpr unsigned BLOCKS = 1024; /* wanted: some for each place on a device */
constexpr unsigned LEAST_ROWS = 16; /* of a band: fewer cost too much scratch */
constexpr unsigned FLUSH = 32; /* rows whose counts of a column fit 8 bits */
constexpr unsigned AHEAD = 16; /* loads that are on their way */

/* Cut of a page into bands of rows. */
struct Cut {
    uint32_t width, height, pitch, planes;
    uint32_t bands, rows; /* of a band; the last one may have fewer */

    explicit Cut(const ht_sums &sums)
        : width(sums.width), height(sums.height), pitch(sums.pitch),
          planes(sums.planes)
    {
        const uint32_t wanted = planes < BLOCKS ? BLOCKS / planes : 1;

        rows = (height - 1) / wanted + 1;
        rows = rows > LEAST_ROWS ? rows : LEAST_ROWS;
        bands = (height - 1) / rows + 1;
    }

    __device__ uint32_t begin(uint32_t band) const
    {
        return band * rows;
    }

    __device__ uint32_t end(uint32_t band) const
    {
        return min(height, (band + 1) * rows);
    }
};

/* ---- Properties --------------------------------------------------------- */

/* Pixels of a bin. */
struct Bins {
    const uint8_t *image;
    uint32_t pitch, bins;

    /* Returns what pixels x..x+3 of a row count in a plane, a byte each. */
    __device__ uint32_t four(uint32_t plane, uint32_t y, uint32_t x) const
    {
        const uint32_t pixels =
            __ldg((const uint32_t *)(image + (size_t)y * pitch + x));
        uint32_t counts = 0;

        for (unsigned i = 0; i < PIXELS; i++) {
            const uint32_t pixel = pixels >> 8 * i & 0xff;

            counts |= (uint32_t)(pixel * bins >> 8 == plane) << 8 * i;
        }
        return counts;
    }
};

/* Dots of some inks. */
struct Dots {
    const uint8_t *dots;
    size_t line;
    uint32_t inks;
    unsigned counted;

    __device__ uint32_t four(uint32_t, uint32_t y, uint32_t x) const
    {
        const uint8_t *at = dots + (size_t)y * inks * line + x / 8;
        uint32_t counts = 0;

        for (uint32_t k = 0; k < inks; k++, at += line)
            if (counted >> k & 1) {
                const uint32_t half = __ldg(at) >> (x & PIXELS ? 0 : 4) & 15;

                /* Bit 3 - i becomes byte i. */
                counts += half * 0x08040201u >> 3 & 0x01010101u;
            }
        return counts;
    }
};

/* ---- Threads and pixels ------------------------------------------------- */

/* A thread's pixels: PIXELS side by side in each of `chunks` chunks, which are
 * as far apart as the warp's are long. */
struct Place {
    unsigned lane, warp;
    uint32_t plane, band, x;

    __device__ Place(const Cut &cut, int chunks)
        : lane(threadIdx.x % LANES), warp(threadIdx.x / LANES),
          plane(blockIdx.x / cut.bands), band(blockIdx.x % cut.bands),
          x((warp * (unsigned)chunks * LANES + lane) * PIXELS)
    {
    }

    __device__ uint32_t column(int chunk) const
    {
        return x + (uint32_t)chunk * LANES * PIXELS;
    }
};

template <class Source>
__device__ uint32_t four(const Source &source, const Cut &cut,
                         const Place &place, uint32_t y, int chunk)
{
    const uint32_t x = place.column(chunk);

    return x < cut.width ? source.four(place.plane, y, x) : 0;
}

__device__ void add_four(uint32_t sums[PIXELS], uint32_t counts)
{
    for (unsigned i = 0; i < PIXELS; i++)
        sums[i] += counts >> 8 * i & 0xff;
}

/* Counts what the columns have in each band: columns [planes][bands][pitch]. */
template <int CHUNKS, class Source>
__global__ void __launch_bounds__(WARPS *LANES)
    add_columns(Cut cut, Source source, uint32_t *columns)
{
    const Place place(cut, CHUNKS);
    uint32_t *out = columns + (size_t)blockIdx.x * cut.pitch;
    uint32_t sums[CHUNKS][PIXELS] = {}, packed[CHUNKS] = {};
    const uint32_t end = cut.end(place.band);

    for (uint32_t y = cut.begin(place.band); y < end;) {
        const uint32_t part = min(end, y + FLUSH);

        for (; y < part; y++)
            for (int c = 0; c < CHUNKS; c++)
                packed[c] += four(source, cut, place, y, c);
        for (int c = 0; c < CHUNKS; c++) {
            add_four(sums[c], packed[c]);
            packed[c] = 0;
        }
    }
    for (int c = 0; c < CHUNKS; c++)
        if (place.column(c) < cut.width)
            *(uint4 *)(out + place.column(c)) =
                uint4{sums[c][0], sums[c][1], sums[c][2], sums[c][3]};
}

/* Turns the sums of the columns in each band into sums of all bands above it.
 * Loads AHEAD bands before it stores any, which the compiler may not do. */
__global__ void add_bands(Cut cut, uint32_t *columns)
{
    EACH(i, (size_t)cut.planes * cut.pitch)
    {
        uint32_t *at =
            columns + i / cut.pitch * cut.bands * cut.pitch + i % cut.pitch;
        uint32_t above = 0;

        for (uint32_t band = 0; band < cut.bands; band += AHEAD) {
            const uint32_t some = min(cut.bands - band, AHEAD);
            uint32_t here[AHEAD];

            for (unsigned j = 0; j < AHEAD; j++)
                here[j] = j < some ? at[(size_t)j * cut.pitch] : 0;
            for (unsigned j = 0; j < AHEAD; j++) {
                if (j < some)
                    at[(size_t)j * cut.pitch] = above;
                above += here[j];
            }
            at += (size_t)AHEAD * cut.pitch;
        }
    }
}

/* ---- Rows --------------------------------------------------------------- */

/* Sums of each warp in a row. Two rows of them alternate, so that warps that
 * write the next row's do not overwrite the last row's before all have read
 * them. */
struct Totals {
    uint32_t row[2][WARPS];
};

/* Returns the sum of a value over the lanes below this one and its own. */
__device__ uint32_t sum_up(uint32_t value, unsigned lane)
{
    for (unsigned step = 1; step < LANES; step *= 2) {
        const uint32_t below = __shfl_up_sync(ALL, value, step);

        value += lane >= step ? below : 0;
    }
    return value;
}

__device__ uint32_t sum_all(uint32_t value)
{
    for (int step = LANES / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL, value, step);
    return value;
}

/* Adds a row to the sums of the columns; returns what the warp has in it, and
 * in `before` what it has left of each chunk of this thread. */
template <int CHUNKS>
__device__ uint32_t add_row(uint32_t sums[CHUNKS][PIXELS],
                            const uint32_t counts[CHUNKS], unsigned lane,
                            uint32_t before[CHUNKS])
{
    uint32_t total = 0;

    for (int c = 0; c < CHUNKS; c++) {
        add_four(sums[c], counts[c]);
        const uint32_t own = sums[c][0] + sums[c][1] + sums[c][2] + sums[c][3];
        const uint32_t through = sum_up(own, lane);

        before[c] = total + through - own;
        total += __shfl_sync(ALL, through, LANES - 1);
    }
    return total;
}

/* Writes a thread's part of a row of the table, past the caches, which the
 * image is to stay in. */
template <int CHUNKS>
__device__ void write_row(const Cut &cut, const Place &place,
                          const uint32_t sums[CHUNKS][PIXELS],
                          const uint32_t before[CHUNKS], uint32_t left,
                          uint32_t *row)
{
    for (int c = 0; c < CHUNKS; c++) {
        const uint32_t first = left + before[c] + sums[c][0];
        const uint32_t second = first + sums[c][1];
        const uint32_t third = second + sums[c][2];

        if (place.column(c) < cut.width)
            __stcs((uint4 *)(row + place.column(c)),
                   uint4{first, second, third, third + sums[c][3]});
    }
}

template <int CHUNKS, class Source>
__global__ void __launch_bounds__(WARPS *LANES)
    sum_rows(Cut cut, Source source, const uint32_t *columns, uint32_t *table)
{
    const Place place(cut, CHUNKS);
    const uint32_t *above = columns + (size_t)blockIdx.x * cut.pitch;
    const uint32_t begin = cut.begin(place.band), end = cut.end(place.band);
    uint32_t *row =
        table + ((size_t)place.plane * cut.height + begin) * cut.pitch;
    Totals &totals = shared_object<Totals>();
    uint32_t sums[CHUNKS][PIXELS];

    for (int c = 0; c < CHUNKS; c++)
        for (unsigned i = 0; i < PIXELS; i++)
            sums[c][i] =
                place.column(c) < cut.width ? above[place.column(c) + i] : 0;
    uint32_t next[CHUNKS] = {};

    for (int c = 0; c < CHUNKS && begin < end; c++)
        next[c] = four(source, cut, place, begin, c);
    for (uint32_t y = begin; y < end; y++, row += cut.pitch) {
        uint32_t counts[CHUNKS], before[CHUNKS];

        /* The next row is on its way while this one waits. */
        for (int c = 0; c < CHUNKS; c++) {
            counts[c] = next[c];
            next[c] = y + 1 < end ? four(source, cut, place, y + 1, c) : 0;
        }
        const uint32_t total =
            add_row<CHUNKS>(sums, counts, place.lane, before);

        if (place.lane == 0)
            totals.row[y % 2][place.warp] = total;
        __syncthreads();
        const uint32_t left = sum_all(
            place.lane < place.warp ? totals.row[y % 2][place.lane] : 0);

        write_row<CHUNKS>(cut, place, sums, before, left, row);
    }
}

/* ---- Launches ----------------------------------------------------------- */

template <int CHUNKS, class Source>
cudaError_t make_table(const Cut &cut, const Source &source, uint32_t *columns,
                       uint32_t *table, cudaStream_t stream)
{
    constexpr uint32_t warp = CHUNKS * LANES * PIXELS; /* pixels */
    const unsigned threads = ((cut.width - 1) / warp + 1) * LANES;
    const unsigned blocks = cut.planes * cut.bands;
    cudaError_t error;

    error = launch(add_columns<CHUNKS, Source>, blocks, threads, 0, stream, cut,
                   source, columns);
    if (error == cudaSuccess)
        error = launch(add_bands, blocks_for((size_t)cut.planes * cut.pitch),
                       THREADS, 0, stream, cut, columns);
    if (error == cudaSuccess)
        error = launch(sum_rows<CHUNKS, Source>, blocks, threads, 0, stream,
                       cut, source, (const uint32_t *)columns, table);
    return error;
}

/* Takes the least pixels a thread with which a row fits a block, but two
 * chunks at least. */
template <class Source>
cudaError_t make_table(const struct ht_sums *sums, const Source &source,
                       void *scratch, uint32_t *table, cudaStream_t stream)
{
    constexpr uint32_t chunk = WARPS * LANES * PIXELS;
    const Cut cut(*sums);
    uint32_t *columns = (uint32_t *)scratch;

    assert(sums->width >= 1 && sums->width <= HT_SUMS_MOST_WIDTH);
    assert(sums->pitch >= sums->width && sums->pitch % PIXELS == 0);
    assert(sums->height >= 1 && sums->planes >= 1);
    if (cut.width <= 2 * chunk)
        return make_table<2>(cut, source, columns, table, stream);
    if (cut.width <= 4 * chunk)
        return make_table<4>(cut, source, columns, table, stream);
    return make_table<8>(cut, source, columns, table, stream);
}

static_assert(8 * WARPS * LANES * PIXELS == HT_SUMS_MOST_WIDTH, "a row fits");

} // namespace

size_t ht_sums_scratch(const struct ht_sums *sums)
{
    const Cut cut(*sums);

    return (size_t)cut.planes * cut.bands * cut.pitch * sizeof(uint32_t);
}

cudaError_t ht_sums_histogram(const struct ht_sums *sums, const uint8_t *image,
                              void *scratch, uint32_t *table,
                              cudaStream_t stream)
{
    return make_table(sums, Bins{image, sums->pitch, sums->planes}, scratch,
                      table, stream);
}

cudaError_t ht_sums_dots(const struct ht_sums *sums, const uint8_t *dots,
                         uint32_t inks, size_t line, unsigned counted,
                         void *scratch, uint32_t *table, cudaStream_t stream)
{
    assert(sums->planes == 1 && line * 8 >= sums->width);
    return make_table(sums, Dots{dots, line, inks, counted}, scratch, table,
                      stream);
}
