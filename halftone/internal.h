/*
 * internal.h - what halftone/ and gpu/ share, and their tests, benchmarks and
 * training: the table as the engines use it, the scan, and the engine
 * operations.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_INTERNAL_H
#define HT_INTERNAL_H

#include "halftone/halftone.h"

#include <stdbool.h>

#define HT_ONE 16384        /* a whole dot; tones and errors have 14 bits */
#define HT_WEIGHT_BITS 15   /* fraction bits of weights and of `avoid` */
#define HT_LEVELS 256       /* tone indices, 0 = white, 255 = solid */
#define HT_PATTERN_RIGHT 37 /* a pair of inks' pattern, from that before */
#define HT_PATTERN_DOWN 79
#define HT_LEAST_BEFORE (-HT_ONE / 8) /* of B, but Floyd-Steinberg's: -ONE */
#define HT_RAISE_MOST (HT_ONE / 8)    /* of a threshold, see ht_raise() */
#define HT_RAISE_STEP (HT_ONE / 256)
#define HT_RAISE_END 64
#define HT_MIDDLE 112 /* the most that a table's `middle` is */
/* How much Floyd-Steinberg's inks avoid each other, in HT_WEIGHT_BITS: less of
 * them from HT_FS_MIDDLE to its mirror. */
#define HT_FS_MIDDLE 85
#define HT_FS_AVOID 6554
#define HT_FS_AVOID_LESS 3277
/* Rows run before the page: a whole number of swaths of either height, an even
 * one. */
#define HT_PREROLL 64

/* A tone as the engines use it, doc/halftone.md "Tables". */
struct ht_weights {
    int16_t weight[HT_TAPS - 1]; /* 15 fraction bits; the rest goes down */
    int16_t t_upper, t_lower;    /* 14 fraction bits */
    int16_t avoid;               /* 15 fraction bits */
    int8_t column[HT_TAPS - 1];  /* [0] is unused: tap 0 is (0,+1) */
};

/* What a pixel looks at, doc/halftone.md "A pixel": the pattern, which has a
 * dot there or none, or the inks before. */
enum ht_view { HT_NO_DOT, HT_DOT, HT_INKS, HT_VIEWS };

/* Its threshold, which then rises by avoidance. */
static inline int ht_threshold(const struct ht_weights *w, enum ht_view view)
{
    return view == HT_NO_DOT ? w->t_upper
           : view == HT_DOT  ? w->t_lower
                             : (w->t_upper + w->t_lower) >> 1;
}

#ifdef __CUDACC__
#define HT_KERNELS_TOO __host__ __device__
#else
#define HT_KERNELS_TOO
#endif

/* What the threshold of a segment's last pixel of level 0..255 rises by,
 * doc/halftone.md "A pixel" (rise); less than 0 for dark ones. */
HT_KERNELS_TOO static inline int ht_raise(int level)
{
    bool dark = level >= HT_LEVELS / 2;
    int raise =
        HT_RAISE_STEP * (HT_RAISE_END - (dark ? HT_LEVELS - 1 - level : level));

    raise = raise < 0 ? 0 : raise > HT_RAISE_MOST ? HT_RAISE_MOST : raise;
    return dark ? -raise : raise;
}

struct ht_table {
    ht_tone_t tone[HT_TONES];           /* as it was given */
    struct ht_weights level[HT_LEVELS]; /* by tone index, mirror included */
    uint8_t middle; /* 1..HT_MIDDLE: from here on to the mirror, levels look at
                       the pattern in any case (m) */
    uint8_t pattern[HT_PATTERN_BYTES];
};

/* Whether a tone keeps its ranges; ht_table_new() asks for more. */
bool ht_tone_valid(const ht_tone_t *tone);

/* The table that Floyd-Steinberg is, and the compiled-in tables; free with
 * ht_table_free(). */
ht_status_t ht_table_floyd_steinberg(ht_table_t **out);
ht_status_t ht_table_builtin(ht_table_t **out, ht_method_t method);

/* The compiled-in DBS pattern, HT_PATTERN_BYTES. */
extern const uint8_t ht_builtin_pattern[];

/* doc/halftone.md "Tones": the tone (a) of a sample 0..full, of which `full`,
 * 255 or 65535, is solid. */
HT_KERNELS_TOO static inline int ht_tone_of(uint32_t sample, uint32_t full)
{
    return (int)((2u * HT_ONE * sample + full) / (2 * full));
}

/* The tone index (l) of one of 16 bits. Only bare paper and solid ink have 0
 * and 255, which force the dot: the faintest tint still prints its share. */
HT_KERNELS_TOO static inline int ht_level_of(uint32_t sample)
{
    int nearest = (int)((510 * sample + 65535) / 131070);

    if (nearest == 0 && sample != 0)
        return 1;
    return nearest == 255 && sample != 65535 ? 254 : nearest;
}

/* doc/halftone.md "Tones": a row of `width` samples of `bits` becomes tones
 * (0..HT_ONE) and tone indices (0..255). */
void ht_tones_from_samples(const void *samples, uint32_t bits, uint32_t width,
                           int16_t *tone, uint8_t *level);

/* The same of samples of 8 bits with an ht_page_t.curves [256]. */
void ht_tones_from_curve(const uint8_t *samples, const uint16_t *curve,
                         uint32_t width, int16_t *tone, uint8_t *level);

/* Samples of 8 bits [width] become those of 16 that a curve [256] has. */
void ht_apply_curve(const uint16_t *curve, const uint8_t *samples,
                    uint32_t width, uint16_t *out);

/* How a method walks over the page, doc/halftone.md "Scan". */
struct ht_scan {
    const ht_table_t *table;
    uint32_t width;
    uint32_t swath;   /* rows; 0 = the page is one swath, raster order */
    uint32_t segment; /* columns; 0 = unbroken rows */
};

/* The walk's place: rows are counted from the start of the pre-roll. */
struct ht_place {
    uint64_t row;
    uint32_t shift; /* h(S): this swath's first cut, 0..segment-1; 0 = side */
};

/* S. */
static inline uint64_t ht_swath(const struct ht_scan *scan,
                                const struct ht_place *place)
{
    return scan->swath != 0 ? place->row / scan->swath : 0;
}

/* The pre-roll's first row, and the row after a place. */
void ht_place_first(const struct ht_scan *scan, struct ht_place *place);
void ht_place_next(const struct ht_scan *scan, struct ht_place *place);

/* How many inks keep their turn: of four or more the first, black. */
HT_KERNELS_TOO static inline uint32_t ht_inks_kept(uint32_t inks)
{
    return inks >= 4;
}

/* The copy of the pattern that an ink looks at (j). */
HT_KERNELS_TOO static inline uint32_t ht_copy_of_ink(uint32_t ink,
                                                     uint32_t inks)
{
    return ink + ht_inks_kept(inks);
}

/* The ink whose turn it is in a swath (S): doc/halftone.md "Turns". */
static inline uint32_t ht_ink_of_turn(uint32_t turn, uint32_t inks,
                                      uint64_t swath)
{
    uint32_t kept = ht_inks_kept(inks);

    return swath / 2 % 2 == 0 || turn < kept ? turn : inks - 1 + kept - turn;
}

/* One row of one ink, with the names that doc/halftone.md "A pixel" has for
 * them in brackets. The arrays have `width` elements, `dots` (width+7)/8. */
struct ht_row {
    uint32_t copy;        /* 0..15, of the pattern (j) */
    const int16_t *tone;  /* and level, of ht_tones_from_samples() (a) */
    const uint8_t *level; /* (l) */
    const int16_t *error; /* that this row inherits, 1/16384 dot (E[k]) */
    int16_t *below;       /* that the next row inherits: overwritten (F[k]) */
    int16_t *before;      /* what the inks before have put too much, 1/16384 dot
                             (B); this ink is added. 0 for the first ink. */
    uint8_t *inked;       /* 1 where some ink before is neither white nor solid
                             (Q); this ink is added. 0 for the first ink. */
    uint8_t *dots;        /* overwritten (g) */
};

/* Diffuses a row: the definition. */
void ht_diffuse_row(const struct ht_scan *scan, const struct ht_place *place,
                    const struct ht_row *row);

/* ---- Engines ---------------------------------------------------------- */

struct ht_engine_ops {
    const char *name;
    bool device;                              /* not the host's processor */
    bool (*available)(const ht_page_t *page); /* can it do this page here? */
    /* Only of devices: is it the fastest now? Sets the reason. */
    bool (*pays)(const ht_page_t *page, const char **why);
    /* The calls of halftone.h after engine.c has checked their arguments.
     * `open` sets engine->own. */
    ht_status_t (*open)(ht_engine_t *engine);
    void *(*place)(ht_engine_t *engine, size_t *rows); /* may be NULL */
    size_t (*room)(const ht_engine_t *engine);         /* NULL: 2 bands */
    ht_status_t (*submit)(ht_engine_t *engine, const void *tones, size_t rows);
    void (*help)(ht_engine_t *engine, bool (*enough)(void *context),
                 void *context); /* NULL: it takes none */
    ht_status_t (*end)(ht_engine_t *engine);
    size_t (*ready)(const ht_engine_t *engine);
    size_t (*done)(ht_engine_t *engine); /* NULL: all that are ready */
    ht_status_t (*collect)(ht_engine_t *engine, uint8_t *dots, size_t rows);
    ht_status_t (*take_state)(ht_engine_t *engine, uint64_t *row,
                              int16_t *errors);
    ht_status_t (*give_state)(ht_engine_t *engine, uint64_t row,
                              const int16_t *errors);
    void (*close)(ht_engine_t *engine);
};

struct ht_engine {
    const struct ht_engine_ops *ops;
    ht_page_t page;        /* page.table is never NULL, except for threshold */
    ht_table_t *own_table; /* the method's own table, when none was given */
    bool started;          /* rows or a state were given */
    bool ended;
    const char *why;       /* the engine was chosen; never NULL */
    char device[16];       /* ht_engine_device(); empty = none */
    const uint16_t *inked; /* during a submit; NULL: not known */
    bool alone;            /* helper threads are not wanted */
    char trouble[96];      /* ht_engine_trouble(); empty = none */
    void *own;             /* the engine's buffers */
};

/* ---- Modules ---------------------------------------------------------- */

/* What the module of an accelerator exports, under HT_MODULE_SYMBOL. */
struct ht_module {
    const char *version; /* must be the library's own */
    const struct ht_engine_ops *ops;
    void (*warm)(void); /* starts the accelerator; may take a second */
    bool (*rest)(void); /* frees what it keeps for the next page; false if
                           that hangs: the process should just end */
};

/* Makefile.am makes that name from the text of this file and of halftone.h: in
 * a module that an older build has left, with other structs, it is another. */
#ifdef HT_MODULE_SYMBOL /* not for kernels */
extern const struct ht_module ht_module_cuda __asm__(HT_MODULE_SYMBOL);
#endif

/* The installed module, loaded on the first call; NULL if there is none that
 * fits this library. */
const struct ht_module *ht_module(void);

extern const struct ht_engine_ops ht_reference_engine;
extern const struct ht_engine_ops ht_cpu_plain_engine;
extern const struct ht_engine_ops ht_cpu_avx2_engine;
extern const struct ht_engine_ops ht_cpu_avx512_engine;
extern const struct ht_engine_ops ht_wavefront_plain_engine;
extern const struct ht_engine_ops ht_wavefront_avx2_engine;
extern const struct ht_engine_ops ht_wavefront_avx512_engine;

/* The scan of a page's method. */
struct ht_scan ht_scan_of(const ht_page_t *page);

#endif
