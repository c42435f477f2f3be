/*
 * picture_memory.h - limits the memory of all large pictures together.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PICTURE_MEMORY_H
#define PRINTER_APP_PICTURE_MEMORY_H

#include "printer-app/picture/picture.h"

/* Sets how many bytes of memory may be for the pixels of pictures, and as many
 * for what is needed to read them; else it is an eighth of the computer's. Call
 * it before there are pictures. */
void picture_memory_limit(size_t bytes);

/* Makes room for the pixels of a picture whose size is known: in memory or,
 * when others have that, in a file without a name in $TMPDIR. False if there is
 * none. */
bool picture_memory_take(struct picture *picture);

/* Gives it back; nothing if there is none. */
void picture_memory_give(struct picture *picture);

/* Waits until there is memory for so many bytes that the reading of a picture
 * takes beside its pixels, or for all if that is more. False if it was canceled
 * meanwhile. Readers wait for no printer, so each of them comes to its end. */
bool picture_memory_wait(size_t bytes, const struct picture_reader *reader);

/* They are not needed any more. */
void picture_memory_done(size_t bytes);

#endif
