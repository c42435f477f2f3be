/*
 * supplies.c - ink, toner and what else a device tells of itself.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/ipp/supplies.h"

#define LEVEL_UNKNOWN (-2) /* PWG 5100.13, "printer-supply" */

/* Seconds between questions: a device without an answer makes a job wait for
 * some of them. */
#define TOLD 60
#define TOLD_NOTHING 3600

/* State of a printer's supplies: the driver data's extension. */
struct supplies_asked {
    atomic_long next; /* in seconds of a monotonic clock: not before; 0 = now */
};

static void forget(pappl_printer_t *printer, pappl_pr_driver_data_t *data)
{
    (void)printer;
    free(data->extension);
    data->extension = NULL;
}

void supplies_open(pappl_pr_driver_data_t *data)
{
    struct supplies_asked *asked = calloc(1, sizeof *asked);

    data->extension = asked;
    data->delete_cb = forget;
    data->has_supplies = asked != NULL;
}

bool supplies_show(pappl_printer_t *printer)
{
    static const pappl_supply_t known[] = {
        {PAPPL_SUPPLY_COLOR_BLACK, "Black", true, LEVEL_UNKNOWN,
         PAPPL_SUPPLY_TYPE_INK},
        {PAPPL_SUPPLY_COLOR_CYAN, "Cyan", true, LEVEL_UNKNOWN,
         PAPPL_SUPPLY_TYPE_INK},
        {PAPPL_SUPPLY_COLOR_MAGENTA, "Magenta", true, LEVEL_UNKNOWN,
         PAPPL_SUPPLY_TYPE_INK},
        {PAPPL_SUPPLY_COLOR_YELLOW, "Yellow", true, LEVEL_UNKNOWN,
         PAPPL_SUPPLY_TYPE_INK}};
    pappl_pr_driver_data_t data;

    papplPrinterGetDriverData(printer, &data);
    if (papplPrinterGetSupplies(printer, 0, NULL) == 0)
        papplPrinterSetSupplies(
            printer, (data.color_supported & PAPPL_COLOR_MODE_COLOR) ? 4 : 1,
            (pappl_supply_t *)known);
    return true;
}

void supplies_ask(pappl_printer_t *printer, pappl_device_t *device)
{
    pappl_supply_t supplies[PAPPL_MAX_SUPPLY];
    pappl_pr_driver_data_t data;

    papplPrinterGetDriverData(printer, &data);
    struct supplies_asked *asked = data.extension;
    if (device == NULL || asked == NULL || papplfixes_now() < asked->next)
        return;
    const pappl_preason_t state = papplDeviceGetStatus(device);
    const int count =
        papplDeviceGetSupplies(device, PAPPL_MAX_SUPPLY, supplies);

    papplPrinterSetReasons(printer, state, PAPPL_PREASON_DEVICE_STATUS);
    if (count > 0)
        papplPrinterSetSupplies(printer, count, supplies);
    asked->next =
        (long)papplfixes_now() +
        (count > 0 || state != PAPPL_PREASON_NONE ? TOLD : TOLD_NOTHING);
}
