/*
 * writer.c - the writers by their names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <string.h>

#include "pack/writers.h"

const struct writer *writer_named(const char *name)
{
    static const struct writer *const writers[] = {
        &writer_pcl3, &writer_pcl,  &writer_escp2, &writer_zpl,
        &writer_epl2, &writer_cpcl, &writer_dymo};

    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        if (strcmp(writers[i]->name, name) == 0)
            return writers[i];
    return NULL;
}
