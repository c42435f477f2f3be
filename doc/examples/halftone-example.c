/*
 * halftone-example.c - halftones a gray PGM image (P5, 8 bits, no comments) to
 * a PBM image:
 *
 *   cc halftone-example.c $(pkg-config --cflags --libs halftone) -o example
 *   ./example <gray.pgm >dots.pbm
 *
 * It is C, and C++ as well.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <halftone.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    ht_page_t page;
    ht_engine_t *engine = NULL;
    unsigned width, height;

    if (scanf("P5 %u %u 255", &width, &height) != 2 || getchar() == EOF)
        return 1;
    ht_page_init(&page); /* the default method, one ink, 8 bits */
    page.width = width;
    ht_status_t status = ht_engine_open(&engine, "cpu", &page);
    unsigned char *tones = (unsigned char *)malloc(width);
    unsigned char *dots = (unsigned char *)malloc(width / 8 + 1);
    if (tones == NULL || dots == NULL)
        status = HT_ERR_MEMORY;
    if (status == HT_OK)
        printf("P4\n%u %u\n", width, height);

    for (unsigned row = 0; status == HT_OK && row < height; row++) {
        if (fread(tones, 1, width, stdin) != width)
            break;
        for (unsigned x = 0; x < width; x++)
            tones[x] = (unsigned char)(255 - tones[x]); /* ink, not light */
        status = ht_engine_submit(engine, tones, NULL, 1);
        if (status == HT_OK && row + 1 == height)
            status = ht_engine_end(engine);
        while (status == HT_OK && ht_engine_ready(engine) > 0) {
            status = ht_engine_collect(engine, dots, 1);
            fwrite(dots, 1, (width + 7) / 8, stdout);
        }
    }
    ht_engine_close(engine);
    free(tones);
    free(dots);
    if (status != HT_OK)
        fprintf(stderr, "%s\n", ht_status_text(status));
    return status == HT_OK ? 0 : 1;
}
