/*
 * stale_module.c - what an older build may have left in the place of an
 * accelerator's module: of this version, but with other structs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

extern const struct older {
    const char *version;
} ht_module_cuda;

const struct older ht_module_cuda = {PACKAGE_VERSION};
