/*
 * sizes.h - drops of several sizes: lookup.h has what is looked up here. For
 * kernel.c.
 *
 *   numbers                     those of all choices
 *   numbers_of(number, mixes)   from an array [HT_FLOYD_CHOICES]
 *   struct which                which choice each lane has
 *   number_at(&all, &which)    the number of each lane's choice
 *
 * SPDX-License-Identifier: Apache-2.0
 */

#if LANES > 8 ||                                                               \
    (defined __aarch64__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define SHUFFLES /* of bytes */
#endif

/* Number of each lane's choice. */
struct which {
#ifdef SHUFFLES
    vec at; /* the places of its two bytes */
#else
    /* -1 where the tone reaches a size, or 0. */
    vec reached[HT_FLOYD_SIZES - 1];
    unsigned sizes; /* that it may reach, 2 or 4 */
    vec leaves;     /* -1 where a pixel leaves a size out, or 0 */
    bool mixes;     /* some do */
#endif
};

/* Returns how many sizes a kind of pages may have. */
static ALWAYS_INLINE unsigned sizes_of(const struct floyd_kind kind)
{
    return kind.sized > 2 ? HT_FLOYD_SIZES : 3;
}

#ifdef SHUFFLES

/* In each 16 bytes the low bytes of all numbers, then the high ones. */
typedef vec numbers;

static inline numbers numbers_of(const int16_t *number, bool mixes)
{
    levels bytes;

    (void)mixes;
    for (unsigned i = 0; i < sizeof bytes; i++) {
        uint16_t n = (uint16_t)number[i % HT_FLOYD_CHOICES];

        bytes[i] = (uint8_t)(i / HT_FLOYD_CHOICES % 2 == 0 ? n : n >> 8);
    }
    return (numbers)bytes;
}

static inline vec number_at(const numbers *all, const struct which *which)
{
#if LANES == 32
    return (vec)_mm512_shuffle_epi8((__m512i)*all, (__m512i)which->at);
#elif LANES == 16
    return (vec)_mm256_shuffle_epi8((__m256i)*all, (__m256i)which->at);
#else
    return (vec)vqtbl1q_u8((uint8x16_t)*all, (uint8x16_t)which->at);
#endif
}

#else

/* The first number, and how much more it becomes where a tone reaches the first
 * size, the second and so on; if sizes are mixed, two of them, and then the
 * same of pixels that leave a size out. */
typedef struct {
    vec part[2 * HT_FLOYD_LEAVES];
} numbers;

static inline numbers numbers_of(const int16_t *number, bool mixes)
{
    numbers all;

    for (unsigned k = 0; k < 2 * HT_FLOYD_LEAVES; k++) {
        bool first = k == 0 || (mixes && k == HT_FLOYD_LEAVES);
        unsigned before = first ? k : k - 1;
        int32_t more = k == before ? number[k] : number[k] - number[before];

        all.part[k] = (vec){0} + (int16_t)more;
    }
    return all;
}

static inline vec number_at(const numbers *all, const struct which *which)
{
    const vec *part = all->part;
    const vec *reached = which->reached;
    vec number = part[0] + (part[1] & reached[0]) + (part[2] & reached[1]);

    if (which->sizes > 2)
        number += (part[3] & reached[2]) + (part[4] & reached[3]);
    else if (which->mixes)
        number = vec_select(
            which->leaves,
            part[3] + (part[4] & reached[0]) + (part[5] & reached[1]), number);
    return number;
}

#endif

/* The sizes of a page, for an ink. */
struct sizes {
    numbers base[HT_FLOYD_SIZES], minus[HT_FLOYD_SIZES], alone[HT_FLOYD_SIZES];
    numbers both, low, less, factor, times;
    vec reaches[HT_FLOYD_SIZES - 1];
    vec more[HT_FLOYD_SIZES];
    unsigned count;
    bool mixes;
    const int16_t *leaves; /* ht_floyd_sizes's, of the ink's first lane, .. */
    size_t row;            /* .. and its row in the chunk's first step */
};

/* Drop that a step prints. */
struct drop {
    vec dot; /* -1 or 0; of several sizes the larger ones of the choice */
    mask reaches[HT_FLOYD_SIZES]; /* which sizes' limits */
};

/* Begins a sweep. */
static void take_sizes(const struct ht_floyd_sweep *sweep, uint32_t ink,
                       struct sizes *sizes)
{
    const struct ht_floyd_sizes *page = sweep->sizes;
    const struct ht_floyd_choices *choice =
        &page->choice[ht_size_left_out(ink, sweep->inks, page->sizes + 1) - 1];
    const uint32_t copy = ht_copy_of_ink(ink, sweep->inks);
    const uint32_t row =
        (uint32_t)((sweep->row + copy / 2 * HT_PATTERN_DOWN) % HT_PATTERN_SIZE);

    for (unsigned i = 0; i < HT_FLOYD_SIZES; i++) {
        sizes->base[i] = numbers_of(choice->base[i], page->mixes);
        sizes->minus[i] = numbers_of(choice->minus[i], page->mixes);
        sizes->alone[i] = numbers_of(choice->alone[i], page->mixes);
        sizes->more[i] = (vec){0} + page->more[i];
    }
    sizes->both = numbers_of(choice->both, page->mixes);
    sizes->low = numbers_of(choice->low, page->mixes);
    sizes->less = numbers_of(choice->less, page->mixes);
    sizes->factor = numbers_of(choice->factor, page->mixes);
    sizes->times = numbers_of(choice->times, page->mixes);
    for (unsigned i = 0; i < HT_FLOYD_SIZES - 1; i++)
        sizes->reaches[i] = (vec){0} + page->reaches[i];
    sizes->count = page->sizes;
    sizes->mixes = page->mixes;
    sizes->leaves =
        page->leaves[copy % 2][0] + (HT_FLOYD_LEAVES_ROW - LANES - row);
    sizes->row = copy / 2 * HT_PATTERN_RIGHT + LAG * row;
}

/* Finds the choice of the pixels of step i of a chunk. */
static ALWAYS_INLINE struct which which_of(const struct floyd_kind kind,
                                           const struct sizes *sizes, size_t i,
                                           vec tone)
{
    const unsigned most = sizes_of(kind) - 1;
    const size_t row = (sizes->row + i) % HT_PATTERN_SIZE;
    struct which which;
    vec leaves;

    memcpy(&leaves, sizes->leaves + row * HT_FLOYD_LEAVES_ROW, sizeof leaves);
#ifdef SHUFFLES
    which.at = leaves;
#pragma GCC unroll 4
    for (unsigned k = 0; k < most; k++)
        which.at = vec_plus_where(mask_greater(tone, sizes->reaches[k]),
                                  which.at, (vec){0} + HT_FLOYD_STEP);
#else
    which.sizes = most;
#pragma GCC unroll 4
    for (unsigned k = 0; k < most; k++)
        which.reached[k] = tone > sizes->reaches[k];
    which.leaves = leaves != HT_FLOYD_PLACES;
    which.mixes = sizes->mixes;
#endif
    return which;
}

/* Return the limit of size i, 0.., of an ink that nothing pushes, and where
 * `minus_t` is -t. */
static ALWAYS_INLINE vec limit_alone(const struct sizes *sizes,
                                     const struct which *which, unsigned i)
{
    return number_at(&sizes->alone[i], which);
}

static ALWAYS_INLINE vec limit_at(const struct sizes *sizes,
                                  const struct which *which, unsigned i,
                                  vec minus_t)
{
    return number_at(&sizes->base[i], which) +
           vec_weighted(minus_t, number_at(&sizes->minus[i], which));
}

/* Returns a*, the share of its choice that a tone is above the low size. */
static ALWAYS_INLINE vec share_at(const struct sizes *sizes,
                                  const struct which *which, vec tone)
{
    uvec above = (uvec)(tone - number_at(&sizes->low, which));

    return (vec)vec_high(above * (uvec)number_at(&sizes->factor, which),
                         (uvec)number_at(&sizes->times, which));
}

/* Notes which pixels have the larger sizes of their choices. */
static ALWAYS_INLINE void note_larger(const struct sizes *sizes,
                                      const struct which *which, vec minus_g,
                                      struct drop *drop)
{
    drop->dot = minus_g + minus_g < number_at(&sizes->less, which);
}

/* Adds a step's sizes to those of the steps before. */
static ALWAYS_INLINE vec add_sizes(const struct floyd_kind kind, vec dots,
                                   const struct drop *drop)
{
    dots = (vec)((uvec)dots << kind.sized);
#pragma GCC unroll 5
    for (unsigned i = 0; i < sizes_of(kind); i++)
        dots = vec_minus_where(drop->reaches[i], dots, (vec){0} - 1);
    return dots;
}
