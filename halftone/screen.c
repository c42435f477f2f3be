/*
 * screen.c - the ranks of the method Screen: doc/dev/halftone.md, "Screen". A
 * supercell: cells of several pixels at any rational angle in a tile that
 * repeats. Which cell takes its next pixel is decided as in Ulichney's
 * void-and-cluster method (1993), so that the levels between "all cells have n
 * pixels" and "all have n + 1" are dispersed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/definition.h"

#define SIZE ((int)HT_SCREEN_SIZE)
#define PIXELS (SIZE * SIZE)
#define CELLS 2304 /* 2080 are the most: cyan's of HT_MAX_CELLS */
#define BLOCK 16   /* rows and columns whose cells have turns together */
#define ACROSS (SIZE / BLOCK)
#define BLOCKS (ACROSS * ACROSS)
#define UNIT 1024        /* units of a cell in which phases count */
#define FULL (1u << 31)  /* a score above all sums of pulls and turns */
#define TURN (1u << 18)  /* what a pixel adds to the score of its cell, .. */
#define PAIR 3           /* .. but not the one after so many */
#define AHEAD (1u << 16) /* what the cells of every other row lack */
#define LAST_PULL 138    /* 1024 of it, over L: where pulls end, squared */

/* One pass: the dots of a screen grow, or its holes do. */
struct pass {
    int p, q;  /* cells that the tile has along its axes, (p, q) and (-q, p) */
    int cells; /* L */
    int hole;  /* 0 = dots, 1 = holes (h) */
    bool taken[PIXELS];
    uint16_t cell[PIXELS]; /* of each pixel */
    bool odd[PIXELS];      /* of each cell's place: i + j is odd */
    int32_t spot[PIXELS];
    uint32_t pull[SIZE][SIZE];  /* on a place so many rows and columns on */
    int down, right;            /* rows and columns that a pull reaches */
    uint16_t place[CELLS];      /* of each cell, a pixel */
    uint16_t first[BLOCKS + 1]; /* cell of each block */
    uint16_t pixel[PIXELS]; /* of the cells, each in the order of its growth */
    uint16_t next[CELLS], end[CELLS]; /* where a cell's are in `pixel` */
    uint16_t count[CELLS];            /* pixels that a cell has taken */
    uint32_t score[CELLS];            /* the least is to take a pixel */
    uint64_t least[BLOCKS];           /* turn_of() a block's cells */
};

/* ---- Pixels and cells -------------------------------------------------- */

static int modulo(int value, int by)
{
    int rest = value % by;

    return rest < 0 ? rest + by : rest;
}

/* w: a wave of period UNIT, here -UNIT/2..UNIT/2-1, of two parabolas. */
static int32_t wave(int phase)
{
    int side = abs(phase), other = UNIT / 2 - side;

    return side <= UNIT / 4 ? UNIT * UNIT / 16 - side * side
                            : other * other - UNIT * UNIT / 16;
}

/* Finds the place of each pixel's cell, and the pixel's spot. */
static void find_places(struct pass *pass)
{
    int p = pass->p, q = pass->q, h = pass->hole, l = pass->cells;

    for (int i = 0; i < PIXELS; i++) {
        int x = 8 * (i % SIZE) + 3, y = 8 * (i / SIZE) + 2;
        /* Another q cells keep v above 0. */
        int u = p * x + q * y + h * UNIT / 2 + UNIT / 2;
        int v = p * y - q * x + h * UNIT / 2 + UNIT / 2 + q * UNIT;
        int a = u / UNIT, b = v / UNIT - q;
        int column = modulo(p * (2 * a - h) - q * (2 * b - h), 2 * l);
        int row = modulo(q * (2 * a - h) + p * (2 * b - h), 2 * l);

        pass->cell[i] =
            (uint16_t)(row * (SIZE / 2) / l * SIZE + column * (SIZE / 2) / l);
        pass->odd[pass->cell[i]] = (a + b) & 1;
        pass->spot[i] = wave(u % UNIT - UNIT / 2) + wave(v % UNIT - UNIT / 2);
    }
}

/* Numbers the cells, block by block. */
static void number_cells(struct pass *pass)
{
    static const uint16_t none = UINT16_MAX;
    uint16_t number[PIXELS];
    int cells = 0;

    memset(number, 0xff, sizeof number);
    for (int i = 0; i < PIXELS; i++)
        number[pass->cell[i]] = 0;
    for (int i = 0; i < PIXELS; i++) {
        int block = i / (BLOCK * BLOCK), at = i % (BLOCK * BLOCK);
        int x = block % ACROSS * BLOCK + at % BLOCK;
        int y = block / ACROSS * BLOCK + at / BLOCK;

        if (at == 0)
            pass->first[block] = (uint16_t)cells;
        if (number[y * SIZE + x] == none)
            continue;
        pass->place[cells] = (uint16_t)(y * SIZE + x);
        number[y * SIZE + x] = (uint16_t)cells++;
    }
    pass->first[BLOCKS] = (uint16_t)cells;
    assert(cells == pass->cells);
    for (int i = 0; i < PIXELS; i++)
        pass->cell[i] = number[pass->cell[i]];
}

/* Lists each cell's pixels that are not taken, the highest spot first. */
static void list_pixels(struct pass *pass)
{
    uint16_t sizes[CELLS] = {0}, begin = 0;

    for (int i = 0; i < PIXELS; i++)
        sizes[pass->cell[i]] += !pass->taken[i];
    for (int c = 0; c < pass->cells; c++) {
        pass->next[c] = pass->end[c] = begin;
        begin = (uint16_t)(begin + sizes[c]);
    }
    for (int i = 0; i < PIXELS; i++) {
        int c = pass->cell[i], at = pass->end[c];

        if (pass->taken[i])
            continue;
        for (; at > pass->next[c] &&
               pass->spot[pass->pixel[at - 1]] < pass->spot[i];
             at--)
            pass->pixel[at] = pass->pixel[at - 1];
        pass->pixel[at] = (uint16_t)i;
        pass->end[c]++;
    }
}

/* ---- Growth ------------------------------------------------------------ */

static void find_pulls(struct pass *pass)
{
    for (int i = 0; i < PIXELS; i++) {
        int x = i % SIZE, y = i / SIZE;
        int dx = x > SIZE / 2 ? SIZE - x : x, dy = y > SIZE / 2 ? SIZE - y : y;
        int near = 1024 - (2 * dx * dx + dy * dy) * pass->cells / LAST_PULL;
        uint32_t root = near > 0 ? (uint32_t)(near * near) >> 10 : 0;

        pass->pull[y][x] = root * root;
        if (root > 0 && dx > pass->right)
            pass->right = dx;
        if (root > 0 && dy > pass->down)
            pass->down = dy;
    }
}

/* Returns a number that is the least for the cell whose turn is next; its last
 * bits are the cell's number. */
static uint64_t turn_of(const struct pass *pass, int c)
{
    return (uint64_t)pass->score[c] << 32 | (uint32_t)pass->place[c] << 16 |
           (uint32_t)c;
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the cell whose turn is next. Two searches do not wait for each
 * other. */
static int next_cell(const struct pass *pass)
{
    uint64_t least = UINT64_MAX, other = UINT64_MAX;

    for (int block = 0; block < BLOCKS; block += 2) {
        least = lesser(least, pass->least[block]);
        other = lesser(other, pass->least[block + 1]);
    }
    return (int)(lesser(least, other) & UINT16_MAX);
}

/* Adds the pull of the pixel (x, y) to the scores of a block's cells. */
static void pull_on(struct pass *pass, int x, int y, int block)
{
    uint64_t least = UINT64_MAX;

    for (int c = pass->first[block]; c < pass->first[block + 1]; c++) {
        int place = pass->place[c];

        pass->score[c] += pass->pull[(place / SIZE - y) & (SIZE - 1)]
                                    [(place - x) & (SIZE - 1)];
        least = lesser(least, turn_of(pass, c));
    }
    pass->least[block] = least;
}

/* Sets the range of the blocks, across or down, that come within `reach` of a
 * pixel: modulo ACROSS, each once. */
static void find_blocks(int pixel, int reach, int *begin, int *end)
{
    *begin = (pixel - reach + SIZE) / BLOCK;
    *end = (pixel + reach + SIZE) / BLOCK + 1;
    if (*end - *begin > ACROSS)
        *end = *begin + ACROSS;
}

/* Adds the pull of a pixel that was taken to the scores around it, and sees
 * whose turn is next there. Its own cell is always near enough. */
static void pull_from(struct pass *pass, int pixel)
{
    int x = pixel % SIZE, y = pixel / SIZE, left, right, top, bottom;

    find_blocks(x, pass->right, &left, &right);
    find_blocks(y, pass->down, &top, &bottom);
    for (int row = top; row < bottom; row++)
        for (int column = left; column < right; column++)
            pull_on(pass, x, y, row % ACROSS * ACROSS + column % ACROSS);
}

/* Takes the next pixel of the cell whose turn it is, and returns it. */
static int take_pixel(struct pass *pass)
{
    int c = next_cell(pass), pixel = pass->pixel[pass->next[c]++];

    assert(pass->score[c] < FULL);
    pass->taken[pixel] = true;
    if (++pass->count[c] != PAIR)
        pass->score[c] += pass->count[c] == PAIR + 1 ? 2 * TURN : TURN;
    if (pass->next[c] == pass->end[c])
        pass->score[c] |= FULL;
    pull_from(pass, pixel);
    return pixel;
}

static void begin_pass(struct pass *pass, int hole)
{
    bool rows = (pass->p + pass->q) % 2 == 0; /* else the tile has no such */

    pass->hole = hole;
    find_places(pass);
    number_cells(pass);
    list_pixels(pass);
    memset(pass->count, 0, sizeof pass->count);
    memset(pass->least, 0xff, sizeof pass->least);
    for (int block = 0; block < BLOCKS; block++)
        for (int c = pass->first[block]; c < pass->first[block + 1]; c++) {
            pass->score[c] = pass->next[c] == pass->end[c]       ? FULL
                             : rows && pass->odd[pass->place[c]] ? AHEAD
                                                                 : 0;
            pass->least[block] = lesser(pass->least[block], turn_of(pass, c));
        }
}

/* Makes the ranks of the screen (p, q), rank[PIXELS]. */
static void make_ranks(struct pass *pass, int p, int q, int16_t *rank)
{
    memset(pass, 0, sizeof *pass);
    pass->p = p;
    pass->q = q;
    pass->cells = p * p + q * q;
    assert(pass->cells <= CELLS);
    find_pulls(pass);
    begin_pass(pass, 0);
    for (int r = 0; r < PIXELS / 2; r++)
        rank[take_pixel(pass)] = (int16_t)r;
    begin_pass(pass, 1);
    for (int r = PIXELS - 1; r >= PIXELS / 2; r--)
        rank[take_pixel(pass)] = (int16_t)r;
}

/* ---- The inks of a page ------------------------------------------------- */

enum screen { BLACK, CYAN, MAGENTA, YELLOW, SCREENS };

/* Returns the screen of an ink of a page, and how often cyan, magenta and
 * yellow have had theirs before. */
static enum screen screen_of(uint32_t ink, uint32_t inks, uint32_t *round)
{
    uint32_t colored = ink - ht_black_inks(inks);

    *round = 0;
    if (inks == 1 || (inks >= 4 && ink == 0))
        return BLACK;
    *round = colored / 3;
    return (enum screen)(CYAN + colored % 3);
}

/* Makes a screen of `k` cells; NULL without memory. Magenta's is cyan's,
 * mirrored. */
static int16_t *make_screen(enum screen screen, int k)
{
    int q = (375 * k + 512) >> 10; /* k (sqrt 3 - 1) / 2: 15 degrees */
    struct pass *pass = calloc(1, sizeof *pass);
    int16_t *rank = pass != NULL ? calloc(PIXELS, sizeof *rank) : NULL;

    if (rank != NULL && screen == BLACK)
        make_ranks(pass, k, k, rank);
    else if (rank != NULL && screen == YELLOW)
        make_ranks(pass, (1448 * k + 512) >> 10, 0, rank); /* k sqrt 2 */
    else if (rank != NULL)
        make_ranks(pass, k + q, q, rank);
    free(pass);
    return rank;
}

/* Returns a screen, which is made when it is first asked for and then kept: the
 * pages of a job have the same ones, and making one takes as long as printing a
 * page of one ink. */
static const int16_t *find_screen(enum screen screen, int k)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static int16_t *screens[HT_MAX_CELLS + 1][SCREENS];

    pthread_mutex_lock(&mutex);
    if (screens[k][screen] == NULL)
        screens[k][screen] = make_screen(screen, k);
    const int16_t *found = screens[k][screen];
    pthread_mutex_unlock(&mutex);
    return found;
}

/* Copies a screen, moved to the left and up. */
static void move_screen(const int16_t *from, bool mirrored, uint32_t round,
                        int16_t *to)
{
    for (uint32_t i = 0; i < PIXELS; i++) {
        uint32_t x = (i % SIZE + HT_PATTERN_RIGHT * round) % SIZE;
        uint32_t y = (i / SIZE + HT_PATTERN_DOWN * round) % SIZE;

        to[i] = from[y * SIZE + (mirrored ? SIZE - 1 - x : x)];
    }
}

ht_status_t ht_ranks_new(int16_t **out, const ht_page_t *page)
{
    int k = (int)(page->cells != 0 ? page->cells : HT_DEFAULT_CELLS);
    int16_t *ranks = calloc((size_t)page->inks * PIXELS, sizeof *ranks);

    for (uint32_t ink = 0; ranks != NULL && ink < page->inks; ink++) {
        uint32_t round;
        enum screen screen = screen_of(ink, page->inks, &round);
        bool mirrored = screen == MAGENTA;
        const int16_t *from = find_screen(mirrored ? CYAN : screen, k);

        if (from == NULL) {
            free(ranks);
            ranks = NULL;
        } else {
            move_screen(from, mirrored, round, ranks + (size_t)ink * PIXELS);
        }
    }
    if (ranks == NULL)
        return HT_ERR_MEMORY;
    *out = ranks;
    return HT_OK;
}
