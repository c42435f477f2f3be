/*
 * plot_color.c - figures of inks as one picture.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/command.h"
#include "lab/train/canvas.h"
#include "lab/train/gradient.h"
#include "lab/train/mixture.h"
#include "lab/train/plot.h"

#define GROUP 96 /* pixels of a mixture's bars */

/* Bar `number` of `count` of each mixture; without a printer, of joint direct
 * binary search. */
static bool draw_grain(const struct axes *axes, int number, int count,
                       const struct printer *printer, uint32_t color)
{
    int wide = (GROUP - 12) / count, bottom = axes->top + axes->height;

    for (int i = 0; i < MIXTURES; i++) {
        struct mixed mixed;
        int left = axes->left + i * GROUP + 6 + number * wide;

        if (!mixture_measure(&mixed, printer, &mixtures[i], &look_round))
            return false;
        double high = mixed.grain[0] / axes->y1 * axes->height;
        for (int x = left; x < left + wide - 1; x++)
            canvas_line(axes->canvas, x, bottom - high, x, bottom, color);
    }
    return true;
}

bool plot_grain(const char *out, int count, char **argument)
{
    struct canvas canvas = canvas_new(60 + MIXTURES * GROUP + 20, 400);
    struct axes axes = {&canvas, 60, 30, MIXTURES * GROUP, 330, 0, 1, 0, 2.5};
    bool ok = true;

    axes_frame(&axes, 5, "grain L of C/M/Y/K, %");
    for (int i = 0; i < MIXTURES; i++)
        canvas_text(&canvas, axes.left + i * GROUP + 4,
                    axes.top + axes.height + 8, 2, mixtures[i].name, 0);
    for (int i = 0; ok && i <= count; i++) {
        ht_table_t *table = NULL;
        struct printer printer;
        uint32_t color = i < count ? plot_colors[i % 8] : 0xa0a0a0;
        char name[40] = "joint dbs";

        if (i < count) {
            plot_table_name(name, sizeof name, argument[i]);
            ok = plot_open_printer(&printer, &table, argument[i]);
        }
        ok = ok && draw_grain(&axes, i, count + 1, i < count ? &printer : NULL,
                              color);
        plot_legend(&canvas, i, name, color);
        ht_table_free(table);
    }
    ok = ok && canvas_write(&canvas, out);
    canvas_free(&canvas);
    return ok;
}

static const struct palette *find_gradient(const char *name)
{
    for (int i = 0; i < GRADIENTS; i++)
        if (strcmp(gradients[i]->name, name) == 0)
            return gradients[i];
    command_complain(name, "no such gradient");
    return NULL;
}

static bool draw_gradient(const struct axes *axes,
                          const struct printer *printer,
                          const struct palette *palette, uint32_t color)
{
    static const double none[3];
    double shift[GRADIENT_PARTS][3], x[GRADIENT_PARTS], y[GRADIENT_PARTS];

    if (!gradient_shifts(shift, printer, palette))
        return false;
    for (int i = 0; i < GRADIENT_PARTS; i++) {
        const int parts = GRADIENT_PARTS;

        x[i] = (i + 0.5) / parts;
        y[i] = color_distance(shift[i], none);
    }
    axes_curve(axes, x, y, GRADIENT_PARTS, color);
    return true;
}

bool plot_gradient(const char *out, const char *name, int count,
                   char **argument)
{
    const struct palette *palette = find_gradient(name);
    struct canvas canvas = canvas_new(960, 400);
    struct axes axes = {&canvas, 60, 30, 630, 330, 0, 1, 0, 10};
    bool ok = palette != NULL;

    axes_draw(&axes, 5, 5, "distance from demichel along a gradient");
    for (int i = 0; ok && i < count; i++) {
        ht_table_t *table;
        struct printer printer;
        char text[40];

        plot_table_name(text, sizeof text, argument[i]);
        ok = plot_open_printer(&printer, &table, argument[i]) &&
             draw_gradient(&axes, &printer, palette, plot_colors[i % 8]);
        plot_legend(&canvas, i, text, plot_colors[i % 8]);
        ht_table_free(table);
    }
    ok = ok && canvas_write(&canvas, out);
    canvas_free(&canvas);
    return ok;
}
