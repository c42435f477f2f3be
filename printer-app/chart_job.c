/*
 * chart_job.c - rows of the chart as lines of a job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "tools/calibrate/chart_rows.h"
#include "printer-app/app.h"
#include "printer-app/chart_job.h"
#include "printer-app/press.h"

static double points(int length)
{
    return length * 72.0 / 2540;
}

bool chart_for(struct chart *chart, const pappl_media_col_t *media, bool color,
               bool eye, struct refusal *refusal)
{
    static const uint32_t steps[] = {CHART_STEPS, 11, 6, CHART_LEAST_STEPS};
    bool ok = false;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && !ok; i++) {
        *chart = (struct chart){.width = points(media->size_width),
                                .height = points(media->size_length),
                                .inks = color ? CHART_ALL_INKS : "K",
                                .steps = eye ? CHART_EYE_STEPS : steps[i],
                                .eye = eye};
        ok = chart_check(chart, refusal);
    }
    return ok;
}

/* Leaves the patches as they are. */
static void leave_patches(pappl_pr_options_t *options)
{
    static const char *const plain[][2] = {{"halftone-black", "none"},
                                           {"halftone-gamma", "100"},
                                           {"halftone-density", "100"},
                                           {"halftone-ink-limit", "400"},
                                           {"halftone-sharpness", "0"}};

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        options->num_vendor = cupsAddOption(
            plain[i][0], plain[i][1], options->num_vendor, &options->vendor);
    if (cupsGetOption("halftone-curve", options->num_vendor, options->vendor) ==
        NULL)
        options->num_vendor = cupsAddOption(
            "halftone-curve", "none", options->num_vendor, &options->vendor);
    options->print_content_optimize = PAPPL_CONTENT_PHOTO;
    options->print_color_mode = PAPPL_COLOR_MODE_COLOR;
}

/* The header of the sheet in the chart's inks. */
static cups_page_header2_t sheet_of(const pappl_pr_options_t *options,
                                    bool color)
{
    cups_page_header2_t header = options->header;

    header.cupsColorSpace = color ? CUPS_CSPACE_CMYK : CUPS_CSPACE_K;
    header.cupsNumColors = color ? 4 : 1;
    header.cupsBitsPerColor = 8;
    header.cupsBitsPerPixel = color ? 32 : 8;
    header.cupsColorOrder = CUPS_ORDER_CHUNKED;
    header.cupsBytesPerLine = header.cupsWidth * (color ? 4 : 1);
    return header;
}

/* A chart on its way. */
struct chart_sheet {
    const struct chart *chart;
    struct chart_pixels pixels;
};

static bool fill_row(void *context, unsigned y, uint8_t *row)
{
    const struct chart_sheet *sheet = context;

    chart_row(sheet->chart, &sheet->pixels, y, row);
    return true;
}

static bool print_chart(pappl_job_t *job, pappl_pr_options_t *options,
                        pappl_device_t *device, bool eye)
{
    pappl_pr_driver_data_t data;
    struct chart chart;
    struct refusal refusal;

    papplPrinterGetDriverData(papplJobGetPrinter(job), &data);
    const bool color = (data.color_supported & PAPPL_COLOR_MODE_COLOR) != 0;
    if (!chart_for(&chart, &options->media, color, eye, &refusal)) {
        papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "No chart: %s", refusal.why);
        return false;
    }
    struct press *press =
        press_open(job, options, device, app_state_directory());
    if (press == NULL)
        return false;
    const cups_page_header2_t header = sheet_of(options, color);
    struct chart_sheet sheet = {&chart,
                                {.width = header.cupsWidth,
                                 .x_dpi = header.HWResolution[0],
                                 .y_dpi = header.HWResolution[1],
                                 .inks = color ? 4 : 1}};
    bool ok = press_page(press, &header, options, fill_row, &sheet);

    ok = press_close(press) && ok;
    papplJobSetImpressionsCompleted(job, 1);
    return ok;
}

bool chart_print(pappl_job_t *job, pappl_device_t *device, void *data)
{
    pappl_pr_options_t *options = papplJobCreatePrintOptions(job, 1, true);

    if (options == NULL)
        return false;
    leave_patches(options);
    const bool ok = print_chart(job, options, device, data != NULL);

    papplJobDeletePrintOptions(options);
    return ok;
}
