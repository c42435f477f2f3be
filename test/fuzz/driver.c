/*
 * driver.c - what the driver program of CUPS reads: the list that it keeps, and
 * what cups-driverd says of PPDs.
 *
 *   input   a byte that says which of these follows
 *           0   the list, behind its first line; the hash there is right
 *           1   the seven texts of a model, a line each, and a suffix
 *           2   cups-driverd's answer
 *   holds   a list that is taken has valid lines alone and, kept once more, is
 *           the same; a model has no line or a valid one
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ppd/driver/cache.h"
#include "ppd/driver/judge.h"
#include "ppd/driver/line.h"
#include "ppd/driver/models.h"
#include "test/fuzz/run.h"

static const char *const paths[] = {"", "/d/s.drv", "/b/driver/x y"};

#define PATHS (sizeof paths / sizeof paths[0])

/* Sources without lines. */
static struct sources open_sources(void)
{
    struct sources sources = {.list = calloc(PATHS, sizeof *sources.list)};

    for (size_t i = 0; i < PATHS && sources.list != NULL; i++) {
        sources.list[i].path = strdup(paths[i]);
        sources.count++;
    }
    return sources;
}

static void check_lines(const char *lines, size_t size)
{
    while (size > 0) {
        const char *end = memchr(lines, '\n', size);

        if (end == NULL || !line_is_valid(lines, (size_t)(end - lines)))
            run_fail("not valid: %.*s", (int)size, lines);
        size -= (size_t)(end + 1 - lines);
        lines = end + 1;
    }
}

static void check_same(const struct sources *a, const struct sources *b)
{
    for (size_t i = 0; i < PATHS; i++) {
        const struct source *x = &a->list[i], *y = &b->list[i];

        if (strcmp(x->stamp, y->stamp) != 0 || x->size != y->size ||
            (x->size > 0 && memcmp(x->lines, y->lines, x->size) != 0))
            run_fail("kept, it is another: %s", x->path);
    }
}

/* ---- The list ------------------------------------------------------------ */

static void write_list(const uint8_t *data, size_t size)
{
    char path[128], stamp[STAMP_BYTES];

    snprintf(path, sizeof path, "%s/halftone-drivers", run_folder());
    FILE *file = fopen(path, "w");
    if (file == NULL || !stamp_bytes(data, size, stamp))
        run_fail("fuzz: cannot write %s", path);
    fprintf(file, "halftone-drivers 2 %s\n", stamp);
    fwrite(data, 1, size, file);
    fclose(file);
}

/* Whether any source was judged: an empty list is never kept. */
static bool has_any(const struct sources *sources)
{
    bool any = false;

    for (size_t i = 0; i < sources->count; i++)
        any = any || sources->list[i].stamp[0] != '\0';
    return any;
}

static void read_list(const uint8_t *data, size_t size)
{
    struct sources first = open_sources(), again = open_sources();

    setenv("CUPS_CACHEDIR", run_folder(), 1);
    write_list(data, size);
    if (!cache_read(&first))
        run_fail("no memory");
    for (size_t i = 0; i < first.count; i++)
        check_lines(first.list[i].lines, first.list[i].size);
    if (has_any(&first)) {
        if (!cache_write(&first) || !cache_read(&again))
            run_fail("cannot be kept");
        check_same(&first, &again);
    }
    sources_free(&first);
    sources_free(&again);
}

/* ---- Models -------------------------------------------------------------- */

static void check_model(const struct driver_model *model, const char *suffix)
{
    char *line = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&line, &size);

    if (out == NULL)
        return;
    line_write(out, model, suffix);
    fclose(out);
    check_lines(line, size);
    free(line);
}

/* Takes a line off the text. */
static const char *take_line(char **text)
{
    const char *line = *text;

    *text += strcspn(line, "\n");
    if (**text != '\0')
        *(*text)++ = '\0';
    return line;
}

static void read_model(char *text)
{
    const char *words[7];

    for (size_t i = 0; i < 7; i++)
        words[i] = take_line(&text);
    check_model(&(struct driver_model){words[0], words[1], words[2], words[3],
                                       words[4], words[5], words[6]},
                ", TDFED dots");
}

static void read_answer(const char *text, size_t size)
{
    struct driver_models models;

    if (models_read(&models, text, size))
        for (size_t i = 0; i < models.count; i++)
            check_model(&models.models[i], "");
    models_free(&models);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = size > 0 ? malloc(size) : NULL;

    if (text == NULL)
        return 0;
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] % 3 == 0 && size > 1)
        read_list(data + 1, size - 1);
    else if (data[0] % 3 == 1)
        read_model(text);
    else
        read_answer(text, size - 1);
    free(text);
    return 0;
}
