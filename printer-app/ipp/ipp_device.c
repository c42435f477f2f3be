/*
 * ipp_device.c - IPP as a client: printers that take PWG raster of one bit, as
 * devices of PAPPL. Any thread may use a device, but only one at a time writes
 * and closes; status, supplies and id are asked on connections of their own, as
 * the document's has a request under way.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "halftone/base/utf8.h"
#include "page/owner.h"
#include "printer-app/ipp/ipp_device.h"
#include "printer-app/ipp/ipp_job.h"
#include "printer-app/ipp/ipp_list.h"
#include "printer-app/ipp/ipp_printer.h"
#include "printer-app/ipp/ipp_state.h"
#include "printer-app/ipp/ipp_takes.h"
#include "printer-app/ipp/pwg_pages.h"

struct ipp_device {
    struct ipp_printer printer;
    ipp_t *about;           /* its attributes when it was opened */
    char name[256];         /* of the next job */
    struct pwg_pages pages; /* what was written */
    struct ipp_job *job;    /* NULL: none under way */
    bool has_failed;        /* the job; an error has been said */
};

/* ---- Open ---- */

static void free_device(struct ipp_device *mine)
{
    if (mine == NULL)
        return;
    ippDelete(mine->about);
    free(mine);
}

static bool open_device(pappl_device_t *device, const char *uri,
                        const char *name)
{
    struct ipp_device *mine = calloc(1, sizeof *mine);
    struct ipp_trouble trouble = {"No memory for a device."};

    if (mine != NULL && ipp_printer_read(&mine->printer, uri, &trouble))
        mine->about = ipp_about(&mine->printer, &trouble);
    if (mine == NULL || mine->about == NULL ||
        !ipp_takes_dots(mine->about, &trouble)) {
        papplDeviceError(device, "%s: %s", uri, trouble.text);
        free_device(mine);
        return false;
    }
    utf8_copy(mine->name, sizeof mine->name, name != NULL ? name : "Untitled",
              '?');
    papplDeviceSetData(device, mine);
    return true;
}

/* ---- Write ---- */

/* Gives the job up. That it was canceled is no error. */
static bool fail(pappl_device_t *device, struct ipp_device *mine,
                 const char *why)
{
    if (!canceled())
        papplDeviceError(device, "%s: %s", mine->printer.uri, why);
    mine->has_failed = true;
    if (mine->job != NULL)
        ipp_job_cancel(mine->job);
    mine->job = NULL;
    return false;
}

static bool send_bytes(pappl_device_t *device, struct ipp_device *mine,
                       const void *bytes, size_t size)
{
    struct ipp_trouble trouble;

    return ipp_job_write(mine->job, bytes, size, &trouble) ||
           fail(device, mine, trouble.text);
}

/* Ends the job, if there is one: all of it, or cancels it. */
static bool end_job(pappl_device_t *device, struct ipp_device *mine,
                    bool is_canceled)
{
    struct ipp_job *job = mine->job;
    struct ipp_trouble trouble;

    if (job == NULL)
        return !mine->has_failed && !is_canceled;
    mine->job = NULL;
    if (is_canceled || canceled()) {
        ipp_job_cancel(job);
        return false;
    }
    return ipp_job_end(job, &trouble) || fail(device, mine, trouble.text);
}

/* Sees the header of a page, and begins a job with that of the first one. */
static bool take_header(pappl_device_t *device, struct ipp_device *mine)
{
    const struct pwg_pages *pages = &mine->pages;
    struct ipp_trouble trouble;

    if (!ipp_takes_page(pages, &trouble))
        return fail(device, mine, trouble.text);
    if (mine->job != NULL)
        return true;
    mine->job =
        ipp_job_start(&mine->printer, mine->about, mine->name, pages, &trouble);
    if (mine->job == NULL)
        return fail(device, mine, trouble.text);
    return send_bytes(device, mine, PWG_SYNC, PWG_SYNC_BYTES) &&
           send_bytes(device, mine, pages->header, PWG_HEADER_BYTES);
}

/* The bytes of a raster's first header are those of `pages` and not sent before
 * it is whole; all others are sent as they come. */
static ssize_t write_device(pappl_device_t *device, const void *buffer,
                            size_t size)
{
    struct ipp_device *mine = papplDeviceGetData(device);
    const unsigned char *at = buffer, *unsent = at;
    size_t left = size;
    bool ok = !mine->has_failed;

    while (ok && left > 0) {
        const bool has_job = mine->job != NULL;
        switch (pwg_follow(&mine->pages, &at, &left)) {
        case PWG_BEGIN:
            if (has_job)
                ok =
                    send_bytes(device, mine, unsent, (size_t)(at - unsent) - 1);
            /* The job before was whole; it may fail, and this one not. */
            end_job(device, mine, false);
            mine->has_failed = false;
            break;
        case PWG_HEADER:
            ok = take_header(device, mine);
            if (!has_job)
                unsent = at;
            break;
        case PWG_WRONG:
            ok = fail(device, mine, "What was to be printed is no PWG raster.");
            break;
        case PWG_MORE:
            break;
        }
    }
    if (ok && mine->job != NULL && at > unsent)
        ok = send_bytes(device, mine, unsent, (size_t)(at - unsent));
    return ok ? (ssize_t)size : -1;
}

/* There is nothing to read: the printer's answers are to requests. */
static ssize_t read_device(pappl_device_t *device, void *buffer, size_t size)
{
    (void)device;
    (void)buffer;
    (void)size;
    return 0;
}

static void close_device(pappl_device_t *device)
{
    struct ipp_device *mine = papplDeviceGetData(device);

    end_job(device, mine, !pwg_whole(&mine->pages));
    free_device(mine);
    papplDeviceSetData(device, NULL);
}

/* ---- Ask ---- */

/* The printer's attributes as they are now; NULL if it does not tell. */
static ipp_t *about_now(pappl_device_t *device)
{
    const struct ipp_device *mine = papplDeviceGetData(device);
    struct ipp_printer printer = mine->printer; /* another thread may print */
    struct ipp_trouble none;

    return ipp_about(&printer, &none);
}

static pappl_preason_t device_status(pappl_device_t *device)
{
    ipp_t *about = about_now(device);

    if (about == NULL)
        return PAPPL_PREASON_OFFLINE;
    const pappl_preason_t bits = ipp_state_reasons(about);
    ippDelete(about);
    return bits;
}

static int device_supplies(pappl_device_t *device, int most,
                           pappl_supply_t *supplies)
{
    ipp_t *about = about_now(device);

    if (about == NULL)
        return 0;
    const int count = ipp_state_supplies(about, most, supplies);
    ippDelete(about);
    return count;
}

static char *device_id(pappl_device_t *device, char *buffer, size_t size)
{
    struct ipp_device *mine = papplDeviceGetData(device);

    return ipp_state_id(mine->about, buffer, size);
}

void ipp_device_add(void)
{
    /* Has PAPPL add its own schemes: it would not any more when there are some.
     */
    (void)papplDeviceIsSupported("socket://localhost");
    static const char *const schemes[] = {"ipp", "ipps"};

    /* One look finds the printers of both. */
    for (int i = 0; i < 2; i++)
        papplDeviceAddScheme2(schemes[i], PAPPL_DEVTYPE_CUSTOM_NETWORK,
                              i == 0 ? ipp_list : NULL, open_device,
                              close_device, read_device, write_device,
                              device_status, device_supplies, device_id);
}

/* ---- Jobs ---- */

bool ipp_device_has(const char *uri)
{
    return strncmp(uri, "ipp://", 6) == 0 || strncmp(uri, "ipps://", 7) == 0;
}

static struct ipp_device *ours(pappl_device_t *device, const char *uri)
{
    return ipp_device_has(uri) ? papplDeviceGetData(device) : NULL;
}

void ipp_device_name_job(pappl_device_t *device, const char *uri,
                         const char *name)
{
    struct ipp_device *mine = ours(device, uri);

    if (mine != NULL)
        utf8_copy(mine->name, sizeof mine->name, name, '?');
}

bool ipp_device_end_job(pappl_device_t *device, const char *uri,
                        bool is_canceled)
{
    struct ipp_device *mine = ours(device, uri);

    if (mine == NULL)
        return true;
    if (!is_canceled)
        papplDeviceFlush(device);
    const bool ok =
        end_job(device, mine, is_canceled || !pwg_whole(&mine->pages));

    /* PAPPL drops what it still has of a canceled job when nobody takes it. */
    mine->has_failed = true;
    papplDeviceFlush(device);
    mine->has_failed = false;
    mine->pages = (struct pwg_pages){0};
    return ok;
}
