/*
 * writer.c - the writers by their names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pack/writers.h"

static const struct writer *const table[] = {
    &writer_pcl3, &writer_pcl,  &writer_escp2, &writer_zpl,
    &writer_epl2, &writer_cpcl, &writer_dymo};

const struct writer *const *writers(size_t *count)
{
    *count = sizeof table / sizeof table[0];
    return table;
}

const struct writer *writer_named(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}
