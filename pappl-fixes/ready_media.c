/*
 * ready_media.c - the tracking of media that the web page shows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <string.h>

#include "pappl-fixes/pappl.h"

typedef bool set_ready(pappl_printer_t *printer, int count,
                       pappl_media_col_t *ready);

/* On the web page, tracking that nobody has chosen looks like "continuous", the
 * first of its list, and is saved as that with whatever else was changed there.
 * Labels are not continuous: for a roll without them there is a media type. */
bool papplPrinterSetReadyMedia(pappl_printer_t *printer, int count,
                               pappl_media_col_t *ready)
{
    set_ready *pappl;

    for (int i = 0; i < count && ready != NULL; i++)
        if (ready[i].tracking == PAPPL_MEDIA_TRACKING_CONTINUOUS &&
            strcmp(ready[i].type, "continuous") != 0)
            ready[i].tracking = 0;
    override_find(&pappl, "papplPrinterSetReadyMedia");
    return pappl != NULL && pappl(printer, count, ready);
}
