/*
 * halftone.h - turns rows of ink tones into rows of printer dots.
 *
 * The interface of libhalftone, libhalftone(3). doc/dev/halftone.md defines the
 * dots; every engine gives those dots to the last bit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HALFTONE_H
#define HALFTONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ht_engine ht_engine_t; /* one page; one thread at a time */
typedef struct ht_table ht_table_t;   /* tone table; read-only, shareable */

typedef enum {
    HT_OK = 0,
    HT_ERR_ARGUMENT, /* outside the ranges below, or a call out of order */
    HT_ERR_MEMORY,
    HT_ERR_TABLE,  /* a tone table that breaks its rules */
    HT_ERR_FORMAT, /* a tone table in a format that is no longer read */
    HT_ERR_FILE,   /* a file that cannot be read; errno says why */
    HT_ERR_ENGINE, /* no engine of that name that can do this page here */
    HT_ERR_DEVICE, /* the accelerator failed */
    HT_ERR_BUSY    /* open pages hold all the accelerator's memory */
} ht_status_t;

const char *ht_status_text(ht_status_t status); /* static, never NULL */

#define HT_MAX_WIDTH 262144u   /* columns */
#define HT_MAX_HEIGHT 4194304u /* rows of a file: 88 m at 1200 dpi */
#define HT_MAX_INKS 15u
#define HT_MAX_DPI 9600u        /* dots an inch */
#define HT_MAX_BAND 65536u      /* rows submitted at once */
#define HT_MAX_LENT 8u          /* bands whose samples the caller keeps */
#define HT_DEFAULT_SEGMENT 128u /* columns, doc/dev/halftone.md "Segments" */
#define HT_MIN_SEGMENT 16u      /* columns; 0 stands for unbroken rows */
#define HT_DEFAULT_CELLS 16u    /* doc/dev/halftone.md "Screen" */
#define HT_MIN_CELLS 4u
#define HT_MAX_CELLS 32u
#define HT_MAX_SHARPNESS 3u /* of ht_sharpen(); 0 changes nothing */
#define HT_MAX_LEVELS 6u    /* of ink on a pixel: none, and five drop sizes */
#define HT_MIXED_LEVELS 4u  /* the most of a page whose drop sizes are mixed */
#define HT_WHOLE_DOT 16384u /* its area, the unit of drop sizes */
#define HT_MAX_MIXED 16u    /* of drop sizes; 0 mixes none */

/* ---- Methods ---------------------------------------------------------- */

typedef enum {
    HT_TDFED4,          /* tone-dependent, 4-row serpentine: the default */
    HT_TDFED1,          /* tone-dependent, 1-row serpentine */
    HT_FLOYD_STEINBERG, /* raster order, 7 3 5 1 / 16 */
    HT_THRESHOLD,       /* a dot where the tone is 1/2 or more */
    HT_SCREEN,          /* dots in cells, for laser printers */
    HT_METHODS          /* how many there are */
} ht_method_t;

typedef struct {
    const char *name;   /* on a command line: "tdfed4", "fs" */
    const char *choice; /* of HalftoneMode in a PPD: "TDFED4" */
    uint32_t swath;     /* rows scanned in one direction; 0 = the whole page */
    bool segments;      /* its rows can be cut into segments */
    bool table;         /* takes a tone table */
    bool cells;         /* its dots grow in cells, whose number is chosen */
    bool diffuses;      /* rows inherit errors from the rows above */
    bool tones;         /* prints tones by dots: curves and limits of ink make
                           sense; otherwise a pixel is ink or paper by itself */
} ht_method_info_t;

/* Describes a method; static. NULL if `method` is not one of HT_METHODS. */
const ht_method_info_t *ht_method_info(ht_method_t method);

/* ---- Tone tables ------------------------------------------------------ */

#define HT_TONES 128u             /* 0..127; tone 255 - i is tone i's mirror */
#define HT_TAPS 4u                /* weights a tone */
#define HT_REACH 6                /* columns -6..+1 of the next row */
#define HT_FEEDBACK_FROM 64u      /* the first tone that may have feedback */
#define HT_PATTERN_SIZE 128u      /* columns and rows of the pattern */
#define HT_PATTERN_BYTES 2048u    /* rows of 16 bytes, leftmost bit first */
#define HT_MAX_TABLE_BYTES 65536u /* a larger table file is refused */

/* One tone of a table. Offsets count in scan direction and are mirrored from
 * right to left. Tap 0 is always (0,+1), taps 1 and 2 lie in the next row, and
 * tap 3 is straight down, (1,0). */
typedef struct {
    double t_upper;         /* t_u(a), 0..1 */
    double t_lower;         /* t_l(a), 0..t_u */
    double begin;           /* noise where a tint begins, dots, 0..0.5 */
    double feedback;        /* h(a), by which dots before and above lower the
                               threshold, dots: 0..0.25, at most t_l / 2 and
                               (1 - t_u) / 2; 0 below HT_FEEDBACK_FROM */
    double weight[HT_TAPS]; /* 0..32767/32768, sum 1 within 1e-6 */
    int column[HT_TAPS];    /* +1 of this row; two different ones, not 0, of
                               -HT_REACH..+1 of the next; 0, straight down */
} ht_tone_t;

#define HT_LIGHTS 4    /* black, cyan, magenta, yellow */
#define HT_MAX_STEPS 5 /* of a table's rules */

/* A table's rules for inks together, doc/dev/halftone.md. */
typedef struct {
    bool together;           /* there are any: */
    double from;             /* the tone from which they meet, 0..0.25 */
    int steps;               /* fully 2^-steps later, 0..HT_MAX_STEPS */
    double light[HT_LIGHTS]; /* the light that each absorbs, 0..0.999 */
} ht_rules_t;

/*
 * Makes a table from `tones` [HT_TONES]; tone 0 gives the weights of forced
 * (white and solid) pixels. `pattern` is the halftone of absorptance 0.5
 * [HT_PATTERN_BYTES], NULL for the compiled-in one; `rules` are those for inks
 * together, NULL for none. All are copied. Free the table with
 * ht_table_free(); *out is set on HT_OK alone. HT_ERR_TABLE when a tone or a
 * rule is outside its ranges or sums of errors could leave 16 bits;
 * HT_ERR_ARGUMENT when `out` or `tones` is NULL; HT_ERR_MEMORY.
 */
ht_status_t ht_table_new(ht_table_t **out, const ht_tone_t *tones,
                         const uint8_t *pattern, const ht_rules_t *rules);

/*
 * Makes a table from the text of a table file, `size` bytes at `text` (no
 * final NUL needed), doc/dev/table-format.md. On HT_ERR_TABLE `*line` is the
 * line at fault, from 1; the one behind the last when a tone is missing; or 0
 * when each line is right but sums of errors could leave 16 bits, or the text
 * is too large; `line` may be NULL. HT_ERR_FORMAT for versions of the format
 * before this one. Free the table with ht_table_free(); *out is set on HT_OK
 * alone. HT_ERR_ARGUMENT when `out` is NULL, or `text` is NULL and `size` is
 * not 0; HT_ERR_MEMORY.
 */
ht_status_t ht_table_parse(ht_table_t **out, const char *text, size_t size,
                           unsigned *line);

/* Parses the regular file at `path`, which may not be a link, as
 * ht_table_parse() does. HT_ERR_FILE when it cannot be read, HT_ERR_ARGUMENT
 * when `path` is NULL. */
ht_status_t ht_table_load(ht_table_t **out, const char *path, unsigned *line);

void ht_table_free(ht_table_t *table); /* NULL is allowed */

/* Returns the tones [HT_TONES] as they were given, owned by the table, which
 * is not NULL. */
const ht_tone_t *ht_table_tones(const ht_table_t *table);

/* Returns the rules for inks together, owned by the table, which is not
 * NULL. */
const ht_rules_t *ht_table_rules(const ht_table_t *table);

/* ---- Pages ------------------------------------------------------------ */

/* An ink that is a lighter one of the same color. */
typedef struct {
    uint16_t share; /* of the light that the darker one absorbs, in 1/32768: 1
                       .. 32767; 0 = the ink is no lighter one */
    uint8_t of;     /* the darker one, an ink with a lower number */
} ht_lighter_t;

typedef struct {
    ht_method_t method;
    const ht_table_t *table; /* NULL = the method's own, ht_table_name(). Only
                                for methods that take one. The caller keeps it
                                while the engine is open. */
    uint32_t across, down;   /* dots an inch, 1..HT_MAX_DPI, which choose among
                                the method's own tables; one 0 = square pixels
                              */
    uint32_t width;          /* columns, 1..HT_MAX_WIDTH */
    uint32_t inks;           /* 1..HT_MAX_INKS, the darkest first: of four
                                or more, black */
    uint32_t bits;           /* of a sample: 8 or 16 (host byte order) */
    uint32_t segment;        /* columns, HT_MIN_SEGMENT..HT_MAX_WIDTH; 0 =
                                unbroken rows. Ignored by methods without
                                segments. */
    uint32_t cells;          /* of Screen: a line at 45 degrees crosses so many
                                times sqrt 2 on 128 pixels,
                                HT_MIN_CELLS..HT_MAX_CELLS; 0 =
                                HT_DEFAULT_CELLS. Ignored by other methods. */
    uint32_t levels;         /* of ink on a pixel, 2..HT_MAX_LEVELS: none and
                                drops of 1 to 5 sizes; 0 = 2 */
    uint32_t mixed;          /* on how many of 16 pixels a size is left out,
                                0..HT_MAX_MIXED: with more, colors change less
                                where inks are out of register, and the grain
                                is coarser. 0 with more than
                                HT_MIXED_LEVELS; ignored with 2 levels. */
    uint32_t band;           /* most rows a submit, 1..HT_MAX_BAND */
    uint32_t height;         /* rows; 0 = not known: then an engine takes no
                                more than 2 * band without a collect */
    uint32_t threads;        /* most to use; 0 = the engine decides */
    uint32_t pages;          /* of this kind that the caller may have open at
                                the same time; 0 = 1. Only a hint. */
    bool guest;              /* a thread of the caller's is one of `threads`:
                                it calls ht_engine_help() */
    uint32_t lent;           /* bands whose samples the caller keeps, the last
                                0..HT_MAX_LENT that it submitted: the processor
                                goes on with them while the caller does
                                something else */
    size_t device_memory;    /* bytes of each accelerator's memory that all
                                open pages together may take; 0 = a quarter of
                                what is free */
    /* [inks] tone curves, ht_curve_valid(), for samples of 8 bits. The caller
     * keeps them while the engine is open; NULL = the samples as they are. */
    const uint16_t *const *curves;
    /* [levels - 1] of the sizes, in 1/HT_WHOLE_DOT of a whole dot: at least 1,
     * strictly increasing, the last HT_WHOLE_DOT. Ignored with 2 levels. */
    uint16_t area[HT_MAX_LEVELS - 1];
    /* Inks that are lighter ones: what they absorb of the light that all inks
     * reflect together. All 0 = none. Those of inks that the page has not are
     * ignored. */
    ht_lighter_t lighter[HT_MAX_INKS];
} ht_page_t;

/* Sets the defaults: HT_TDFED4 with its own table, one ink, 8 bits, segments of
 * HT_DEFAULT_SEGMENT, bands of 64 rows, one page at a time, and whatever 0,
 * false and NULL stand for. The caller still has to set the width. */
void ht_page_init(ht_page_t *page);

/* Returns the bits that a pixel has in a row of dots: 1 with 2 levels, 2 with 3
 * and 4, 3 with 5 and 6. */
uint32_t ht_dot_bits(uint32_t levels);

/* Returns the bytes of a row of dots of one ink. Pixels have ht_dot_bits()
 * each, most significant bit first, and no gaps: 8 pixels of 3 bits take 3
 * bytes. */
size_t ht_row_bytes(const ht_page_t *page);

/* Returns the number in column x of a row of dots of one ink, 0 = no drop, of a
 * page of so many levels. */
uint32_t ht_size_at(const uint8_t *row, uint32_t levels, uint32_t x);

/*
 * Returns the name, static, of the method's own table for the page's method and
 * the shape of its pixels; NULL if the method takes none. For HT_TDFED4:
 * "tdfed-4row-2x1" if pixels are at least 1.5 times as fine across as down,
 * such as 720 x 360; "tdfed-4row-1x2" if they are so down, such as 360 x 720;
 * of others "tdfed-4row-drops" if drops have several sizes, not mixed and each
 * at most half a dot from the next one; else "tdfed-4row". HT_TDFED1 has one
 * table. The page's table may be NULL or not.
 */
const char *ht_table_name(const ht_page_t *page);

/*
 * Says whether a page may have this curve: `curve` [256] maps samples of 8 bits
 * to samples of 16. It maps 0 to 0, 255 to 65535 and no other sample to one of
 * these, and never falls. The dots are those of the samples of 16 bits, in the
 * time of those of 8. Without a curve sample v stands for 257 v. False for
 * NULL.
 */
bool ht_curve_valid(const uint16_t *curve);

/*
 * Sharpens a row of one ink before it is halftoned: doc/dev/halftone.md,
 * "Sharpness". Flat areas, bare paper and solid ink stay as they are. For
 * methods that print tones; before curves.
 *
 *   above, row, below  [width] samples of `bits`, those of 16 bits at even
 *                      addresses; the page's first row has no row above and its
 *                      last none below: NULL
 *   bits               8 or 16 (host byte order)
 *   width              at least 1
 *   sharpness          0..HT_MAX_SHARPNESS
 *   out                [width] samples, of none of these rows
 */
void ht_sharpen(const void *above, const void *row, const void *below,
                uint32_t bits, uint32_t width, uint32_t sharpness, void *out);

/* ---- Engines ---------------------------------------------------------- */

/* Returns the engines' names, the reference first, NULL at the end; those of
 * installed modules are among them. Static. */
const char *const *ht_engine_names(void);

/*
 * Says what page comes next, so that the accelerator, if a module of one is
 * installed, can be started in a thread of its own: that takes a while, and
 * until then ht_engine_open() with NULL does not choose it. Call it before each
 * page that is opened with NULL; its table and curves may be NULL. It starts
 * the accelerator when that is worth it, which it never is for a single page,
 * and when no other process has it. With `page` NULL it starts it at once. Not
 * needed for an engine that is opened by name.
 */
void ht_engine_prepare(const ht_page_t *page);

/* Frees what is kept for pages to come, when the last engine is closed, and
 * leaves the accelerator to other processes. False when one is still being
 * started, which nothing can stop, or hangs: a program that does not want to
 * wait for that ends with _exit(). */
bool ht_engine_release(void);

/* Takes the accelerator's module at `path`, which the caller keeps, instead of
 * the installed one; before all other calls. HT_ERR_FILE if it cannot be
 * used. */
ht_status_t ht_engine_use_module(const char *path);

/*
 * Opens an engine for one page. `name` is one of ht_engine_names(), "cpu" for
 * the fastest on the host's processor that can do this page here, or NULL for
 * the fastest of all. Close it with ht_engine_close(); *out is set on HT_OK
 * alone. HT_ERR_ENGINE when there is no such engine for this page;
 * HT_ERR_ARGUMENT when a field of `page` is out of its range, or `out` or
 * `page` is NULL; HT_ERR_MEMORY; HT_ERR_DEVICE when an accelerator failed;
 * HT_ERR_BUSY when one would do the page but has the memory only once other
 * pages have been closed.
 *
 * Calls below that return a status return HT_ERR_ARGUMENT, and do nothing, for
 * a NULL and for what their comments say. All but ht_engine_give_state() hide
 * that an accelerator fails: the processor goes on. HT_ERR_MEMORY when there is
 * no memory for that; the page is lost then, and the engine can only be closed.
 * Calls that return no status take an engine that is not NULL, unless their
 * comments say otherwise.
 */
ht_status_t ht_engine_open(ht_engine_t **out, const char *name,
                           const ht_page_t *page);

void ht_engine_close(ht_engine_t *engine); /* NULL is allowed */

/*
 * Gives the engine the next rows of the page.
 *
 *   tones  [rows][inks][width]  samples, 0 = bare paper, full = solid ink;
 *                               those of 16 bits at an even address
 *   inked  [rows]  bit k is set if ink k has a sample other than 0 in the row;
 *                  it may be set if it has none. NULL: the caller does not know
 *   rows   1..band
 *
 * The samples have to stay until `lent` more calls have returned, until all
 * dots are collected or until the engine is closed; with a `lent` of 0 the
 * engine needs them no more when this call returns. On the CPU that is when
 * whole swaths among the rows are halftoned; an accelerator copies them and
 * works on meanwhile. HT_ERR_ARGUMENT when `rows` is more than
 * ht_engine_room(), and after ht_engine_end().
 */
ht_status_t ht_engine_submit(ht_engine_t *engine, const void *tones,
                             const uint16_t *inked, size_t rows);

/* Returns how many rows can be submitted before some have to be collected: at
 * least 2 * band less those that are ready. An accelerator that knows the
 * height of the page may have room for more, up to the whole page. */
size_t ht_engine_room(const ht_engine_t *engine);

/*
 * Returns memory of the engine for the next rows of ht_engine_submit(), which
 * then need not copy them: room for `*rows`, at least 1, until the next call.
 * NULL when the engine has no such memory now, after ht_engine_end(), or of
 * NULL; the caller's own memory always does.
 */
void *ht_engine_buffer(ht_engine_t *engine, size_t *rows);

/*
 * Halftones rows that another thread submits, in the caller's thread, until
 * `enough` returns true or for a moment there is nothing to do. `enough` is
 * asked between pieces of work, which take up to a few milliseconds: it must
 * not wait, nor call the engine. Returns at once when the engine takes no help.
 * For one thread, of a page with a `guest`, beside the thread of the other
 * calls; it must have returned before the engine is closed.
 */
void ht_engine_help(ht_engine_t *engine, bool (*enough)(void *context),
                    void *context);

/* Says that the page has no more rows: its last, perhaps partial, swath is
 * finished too, and so is a last row that waited for the one below it.
 * HT_ERR_ARGUMENT the second time. */
ht_status_t ht_engine_end(ht_engine_t *engine);

/* Returns how many rows are submitted, not collected, and sure to be finished
 * without another submit. An engine holds rows back until it has all those
 * that it does at the same time, so this may grow by more than was submitted
 * last. After ht_engine_end() 0 means that all are collected. It may shrink
 * when an accelerator fails: the processor does anew, some at a time, the rows
 * that are not collected. 0 of NULL. */
size_t ht_engine_ready(const ht_engine_t *engine);

/* Returns how many ready rows ht_engine_collect() gives without waiting for an
 * accelerator. */
size_t ht_engine_done(ht_engine_t *engine);

/*
 * Waits for the `rows` oldest rows and copies their dots. HT_ERR_ARGUMENT when
 * these are more than ht_engine_ready(). With 0 rows `dots` may be NULL.
 *
 *   dots  [rows][inks][ht_row_bytes()]  leftmost in the top bit, 1 = ink, the
 *                                       bits behind the last column are 0; with
 *                                       more than 2 levels, leftmost in the top
 *                                       two bits, 0 = none, n = the n-th size
 */
ht_status_t ht_engine_collect(ht_engine_t *engine, uint8_t *dots, size_t rows);

/*
 * Takes out all that the rows to come need of the rows before them, so that
 * another engine of the same page can go on: `*row`, the number of the first
 * row that is not ready, which begins a swath unless the page is at its end,
 * and the errors that it inherits,
 * [ht_engine_state_lines()][width], of which the first [inks][width] are those
 * of the inks in 1/16384 of a dot. Waits until every ready row is done. Rows
 * from `*row` on, though this engine has them, have to be submitted to the
 * other one again. HT_ERR_ARGUMENT before the first submit, unless a state was
 * given.
 */
ht_status_t ht_engine_take_state(ht_engine_t *engine, uint64_t *row,
                                 int16_t *errors);

/* Returns how many lines a state of this page has: one for each ink, and twice
 * as many where inks have rules together. */
size_t ht_engine_state_lines(const ht_engine_t *engine);

/* Puts a state into an engine: HT_ERR_ARGUMENT when it has rows or a state
 * already, or was ended, or `row` is above HT_MAX_HEIGHT or does not begin a
 * swath. The errors are those
 * that were taken from an engine of the same page, or all 0; with others, sums
 * may leave 16 bits, and engines differ. HT_ERR_DEVICE when an accelerator
 * failed. */
ht_status_t ht_engine_give_state(ht_engine_t *engine, uint64_t row,
                                 const int16_t *errors);

/* Returns the engine's name, one of ht_engine_names(). */
const char *ht_engine_name(const ht_engine_t *engine);

/* Each of these three returns NULL when there is nothing to say; its text is
 * the engine's, until it is closed. */

/* Returns the accelerator that the page began on, such as "GPU 1": several
 * pages at the same time are then faster than one after the other. It stays the
 * same when the accelerator fails and the processor goes on. */
const char *ht_engine_device(const ht_engine_t *engine);

/* Says why ht_engine_open() took this engine when it had the choice between an
 * accelerator's and the processor's. */
const char *ht_engine_why(const ht_engine_t *engine);

/* Says what went wrong with no harm to the dots, such as an accelerator that
 * failed and left the rest to the processor. */
const char *ht_engine_trouble(const ht_engine_t *engine);

#ifdef __cplusplus
}
#endif
#endif
