/*
 * writer.h - printers' languages for raster of dots: a writer makes a job of
 * pages, in the calling thread, with no state but its caller's. Any number of
 * them may run at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PACK_WRITER_H
#define PACK_WRITER_H

#include <stdbool.h>
#include <stddef.h>

#include "page/pack/sink.h"
#include "page/stream.h"

/* A printer's language: page/pack/packing.h. */
struct language;

/* Returns a language by its number, from 0, or by its name, such as "zpl": that
 * of its file. NULL = there is none. */
const struct language *language_at(size_t number);
const struct language *language_named(const char *name);

/* A job in a language, whose rows come one after the other. */
struct writer;

/* Begins a job whose bytes go to `out`, the caller's. NULL after an ERROR line.
 */
struct writer *writer_open(const struct language *language, struct sink *out);

/*
 * Begins a page, with a PAGE line. It has one bit a sample: K, or what else the
 * language accepts. The raster begins where cupsImagingBBox does on the sheet,
 * or at its corner if that is all 0; dots that the printer cannot reach are
 * left out. "pcl3" has the printer place it, as CUPS's PPDs do. A language
 * without copies prints one, one without back sides fronts alone, and a WARNING
 * line says so. label.h has the wishes for label printers.
 *
 * False after an ERROR line (page/message.h): then there is no page.
 */
bool writer_begin(struct writer *writer, const cups_page_header2_t *header);

/* Writes the page's next rows, at most as many as it still has, `bytes` in all,
 * of cupsBytesPerLine each. False when `out` is broken. */
bool writer_rows(struct writer *writer, const unsigned char *rows,
                 size_t bytes);

/* Whether all rows of the page that is begun have come. */
bool writer_is_whole(const struct writer *writer);

/* Ends the page; what is missing of it is bare paper. False if rows are. */
bool writer_end(struct writer *writer);

/* Ends the job, after the page that is still begun, flushes `out`, and frees
 * the writer. False when `out` is broken. NULL is allowed. */
bool writer_close(struct writer *writer);

/*
 * Writes a job of all pages of the raster on `in`, which is opened
 * (stream_open_input).
 *
 * False after an ERROR line, or without one when `out` is broken or the
 * thread's work is canceled (page/owner.h); unless `out` is broken, what it got
 * are whole pages all the same.
 */
bool language_write(const struct language *language, struct stream *in,
                    struct sink *out);

#endif
