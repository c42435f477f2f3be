/*
 * test_screen.c - the ranks of the method Screen: all of them, in clusters, at
 * angles at which inks overlap as on a press.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "halftone/definition.h"
#include "test/cases.h"

#define SIDE ((int)HT_SCREEN_SIZE)
#define TILE (SIDE * SIDE)

static int16_t *ranks_of(uint32_t cells, uint32_t inks)
{
    ht_page_t page = {.method = HT_SCREEN, .inks = inks, .cells = cells};
    int16_t *ranks = NULL;

    assert_int_equal(ht_ranks_new(&ranks, &page), HT_OK);
    return ranks;
}

TEST(each_rank_is_there_once)
{
    static const uint32_t inks = 7;

    for (uint32_t cells = HT_MIN_CELLS; cells <= HT_MAX_CELLS; cells++) {
        int16_t *ranks = ranks_of(cells, inks);

        for (uint32_t ink = 0; ink < inks; ink++) {
            bool there[TILE] = {false};

            case_is("%u cells, ink %u", cells, ink);
            for (int i = 0; i < TILE; i++) {
                int16_t rank = ranks[(int)ink * TILE + i];

                assert_between(rank, 0, TILE - 1);
                assert_false(there[rank]);
                there[rank] = true;
            }
        }
        free(ranks);
    }
}

/* Dots below `rank` without a dot beside, above or below them, and the sides of
 * dots on which there is none. */
static int isolated_dots(const int16_t *ranks, int rank, int *edges)
{
    int isolated = 0;

    *edges = 0;
    for (int i = 0; i < TILE; i++) {
        int x = i % SIDE, row = i - x, beside = 0;
        const int neighbors[] = {row + (x + 1) % SIDE,
                                 row + (x + SIDE - 1) % SIDE, (i + SIDE) % TILE,
                                 (i + TILE - SIDE) % TILE};

        for (int n = 0; n < 4; n++)
            beside += ranks[neighbors[n]] < rank;
        if (ranks[i] < rank) {
            isolated += beside == 0;
            *edges += 4 - beside;
        }
    }
    return isolated;
}

/* With 16, 11 and 24 cells each has about 32, 68 and 14 pixels. Holes have as
 * many edges as dots of their size. */
TEST(dots_and_holes_are_clusters)
{
    static const struct {
        uint32_t cells;
        int percent;
        double isolated, edges; /* at most, a dot */
    } musts[] = {{16, 10, 0, 2.52},  {16, 30, 0, 1.5},  {16, 50, 0, 1.2},
                 {11, 5, 0, 2.6},    {11, 10, 0, 2.0},  {11, 50, 0, 1.0},
                 {24, 10, 0.5, 3.5}, {24, 30, 0, 2.25}, {24, 50, 0, 1.75}};

    for (size_t m = 0; m < sizeof musts / sizeof musts[0]; m++) {
        int16_t *ranks = ranks_of(musts[m].cells, 4);

        for (int ink = 0; ink < 4; ink++) {
            int dots = TILE * musts[m].percent / 100, edges, of_holes;
            const int16_t *rank = ranks + ink * TILE;

            case_is("%u cells, ink %d, %d %%", musts[m].cells, ink,
                    musts[m].percent);
            assert_true(isolated_dots(rank, dots, &edges) <=
                        musts[m].isolated * dots);
            assert_true(edges <= musts[m].edges * dots);
            isolated_dots(rank, TILE - dots, &of_holes);
            assert_near(of_holes, edges, 0.05 * edges);
        }
        free(ranks);
    }
}

/* Shifting one of two inks leaves as many pixels with both dots as chance. */
TEST(inks_overlap_as_by_chance)
{
    int16_t *ranks = ranks_of(16, 4);

    for (int move = 0; move < SIDE; move += 3)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < a; b++) {
                int both = 0;

                case_is("inks %d and %d, moved by %d", b, a, move);
                for (int i = 0; i < TILE; i++)
                    both += ranks[a * TILE + (i + move) % TILE] < TILE / 2 &&
                            ranks[b * TILE + i] < TILE / 2;
                assert_near((double)both / TILE, 0.25, 0.01);
            }
    free(ranks);
}

/* One ink has black's screen; two and three have those of colors. */
TEST(inks_have_their_screens)
{
    int16_t *one = ranks_of(16, 1), *three = ranks_of(16, 3);
    int16_t *many = ranks_of(16, 8);

    assert_memory_equal(one, many, TILE * sizeof *one);
    assert_memory_equal(three, many + TILE, 3 * TILE * sizeof *three);
    for (int i = 0; i < TILE; i++) {
        int x = (i % SIDE + HT_PATTERN_RIGHT) % SIDE;
        int y = (i / SIDE + HT_PATTERN_DOWN) % SIDE;

        for (int ink = 1; ink <= 3; ink++)
            assert_int_equal(many[(ink + 3) * TILE + i],
                             many[ink * TILE + y * SIDE + x]);
    }
    free(one);
    free(three);
    free(many);
}
