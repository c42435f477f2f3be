/*
 * png.h - PNG for targets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FUZZ_PNG_H
#define FUZZ_PNG_H

#include <stddef.h>
#include <stdint.h>

/* Makes the checks of chunks right, which no fuzzer would guess. What is no PNG
 * stays as it is. */
void png_mend(uint8_t *image, size_t size);

#endif
