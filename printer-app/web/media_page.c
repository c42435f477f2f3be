/*
 * media_page.c - the page of loaded paper or labels. PAPPL 1.3
 * (_papplPrinterWebMedia(), printer-webif.c:1210-1369, media_chooser(),
 * :1670-1823) shows several fields without names in one row, hides fields of
 * other sizes until a script runs, shows tracking that nobody has chosen as
 * "continuous", takes sizes that the printer does not, whatever was typed, and
 * forgets the media in the tray "manual".
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/ipp/offer.h"
#include "printer-app/web/page_form.h"
#include "printer-app/web/pages.h"

#define NAME 32 /* bytes of a field's name */

#define OF_LIST "Choose one of the list."

/* The trays' fields, each with the tray's number before it. */
enum { SIZE, WIDTH, LENGTH, UNITS, TOP, TRACKING, TYPE, FIELDS };
static const char *const names[FIELDS] = {
    "size",       "custom-width", "custom-length", "custom-units",
    "top-offset", "tracking",     "type"};

struct visit {
    pappl_client_t *client;
    pappl_printer_t *printer;
    struct offer offer;
    bool custom; /* sizes between `least` and `most` can be typed in */
    pwg_media_t least, most;
    int count; /* of the form */
    cups_option_t *form;
    const char *errors[PAPPL_MAX_SOURCE][FIELDS]; /* NULL: none */
    bool wrong;
    const char *says; /* what became of the form; NULL: nothing */
};

static const char *field(const struct visit *visit, int tray, int which,
                         const char *otherwise)
{
    char name[NAME];

    snprintf(name, sizeof name, "ready%d-%s", tray, names[which]);

    const char *value = cupsGetOption(name, visit->count, visit->form);

    return value != NULL ? value : otherwise;
}

/* Whether a tray's media can be chosen: by hand, each job says what it is. */
static bool has_media(const struct visit *visit, int tray)
{
    return strcmp(visit->offer.data.source[tray], "manual") != 0;
}

/* ---- The form ------------------------------------------------------------
 */

static void refuse(struct visit *visit, int tray, int which, const char *why)
{
    visit->errors[tray][which] = why;
    visit->wrong = true;
}

/* Reads a number, in `unit` hundredths of mm; -1 if it is not from `least` to
 * `most`. */
static int read_length(const char *text, double unit, int least, int most)
{
    char *end;
    const double value = strtod(text, &end) * unit;

    if (end == text || *end != '\0' || !(value > least - 1 && value < most + 1))
        return -1;
    return (int)(value + 0.5);
}

/* Reads a width or length that is typed in. */
static int read_side(struct visit *visit, int tray, int which, int least,
                     int most)
{
    const bool in = strcmp(field(visit, tray, UNITS, "mm"), "in") == 0;
    const int side = read_length(field(visit, tray, which, ""), in ? 2540 : 100,
                                 least, most);

    if (side < 0)
        refuse(visit, tray, which, "The printer does not take this.");
    return side;
}

static void read_size(struct visit *visit, int tray, pappl_media_col_t *ready)
{
    const char *name = field(visit, tray, SIZE, "");
    const pwg_media_t *size = NULL;

    if (strcmp(name, "custom") == 0 && visit->custom) {
        const int width = read_side(visit, tray, WIDTH, visit->least.width,
                                    visit->most.width);
        const int length = read_side(visit, tray, LENGTH, visit->least.length,
                                     visit->most.length);

        if (width > 0 && length > 0)
            size = pwgMediaForSize(width, length);
    } else if (offer_has_media(&visit->offer, name)) {
        size = pwgMediaForPWG(name);
    } else {
        refuse(visit, tray, SIZE, OF_LIST);
    }
    if (size == NULL)
        return;
    snprintf(ready->size_name, sizeof ready->size_name, "%s", size->pwg);
    ready->size_width = size->width;
    ready->size_length = size->length;
}

static void read_top(struct visit *visit, int tray, pappl_media_col_t *ready)
{
    const int *range = visit->offer.data.top_offset_supported;
    const char *text = field(visit, tray, TOP, NULL);
    char *end;

    if (range[1] == 0 || text == NULL)
        return;
    const double offset = strtod(text, &end) * 100;
    if (end == text || *end != '\0' ||
        !(offset >= range[0] && offset <= range[1]))
        refuse(visit, tray, TOP, "The printer does not take this.");
    else
        ready->top_offset = (int)(offset < 0 ? offset - 0.5 : offset + 0.5);
}

static void read_tracking(struct visit *visit, int tray,
                          pappl_media_col_t *ready)
{
    const char *name = field(visit, tray, TRACKING, NULL);
    pappl_media_tracking_t tracking = 0;

    if (visit->offer.data.tracking_supported == 0 || name == NULL)
        return;
    if (name[0] != '\0') {
        tracking = _papplMediaTrackingValue(name);
        if ((tracking & visit->offer.data.tracking_supported) == 0)
            refuse(visit, tray, TRACKING, OF_LIST);
    }
    ready->tracking = tracking;
}

static void read_type(struct visit *visit, int tray, pappl_media_col_t *ready)
{
    const char *name = field(visit, tray, TYPE, ready->type);

    for (int i = 0; i < visit->offer.data.num_type; i++)
        if (strcmp(visit->offer.data.type[i], name) == 0) {
            snprintf(ready->type, sizeof ready->type, "%s", name);
            return;
        }
    refuse(visit, tray, TYPE, OF_LIST);
}

static void read_tray(struct visit *visit, int tray)
{
    pappl_media_col_t *ready = &visit->offer.data.media_ready[tray];
    const pappl_pr_driver_data_t *data = &visit->offer.data;
    const char *size = field(visit, tray, SIZE, NULL);

    if (!has_media(visit, tray) || size == NULL)
        return;
    if (size[0] == '\0') {
        *ready = (pappl_media_col_t){.size_width = 0};
        return;
    }
    read_size(visit, tray, ready);
    read_top(visit, tray, ready);
    read_tracking(visit, tray, ready);
    read_type(visit, tray, ready);
    snprintf(ready->source, sizeof ready->source, "%s", data->source[tray]);
    ready->bottom_margin = ready->top_margin = data->bottom_top;
    ready->left_margin = ready->right_margin = data->left_right;
}

static void do_form(struct visit *visit)
{
    visit->count = papplClientGetForm(visit->client, &visit->form);
    if (!papplClientIsValidForm(visit->client, visit->count, visit->form)) {
        visit->wrong = true;
        visit->says = "Invalid form submission.";
        return;
    }
    for (int tray = 0; tray < visit->offer.data.num_source; tray++)
        read_tray(visit, tray);
    if (visit->wrong) {
        visit->says = "Nothing was saved: see below.";
        return;
    }
    visit->wrong =
        !papplPrinterSetReadyMedia(visit->printer, visit->offer.data.num_source,
                                   visit->offer.data.media_ready);
    visit->says = visit->wrong ? "This cannot be saved." : "Changes saved.";
    cupsFreeOptions(visit->count, visit->form); /* what is saved is shown */
    visit->count = 0;
    visit->form = NULL;
}

/* ---- The page ------------------------------------------------------------
 */

static struct page_field field_of(const struct visit *visit, int tray,
                                  int which, char name[NAME])
{
    snprintf(name, NAME, "ready%d-%s", tray, names[which]);
    return (struct page_field){.name = name,
                               .error = visit->errors[tray][which]};
}

static void show_sizes(const struct visit *visit, int tray)
{
    const pappl_pr_driver_data_t *data = &visit->offer.data;
    const char *is =
        field(visit, tray, SIZE, data->media_ready[tray].size_name);
    char name[NAME];
    struct page_field list = field_of(visit, tray, SIZE, name);

    list.label = "Size";
    page_list_start(visit->client, &list);
    if (tray > 0 || is[0] == '\0')
        page_choice(visit->client, "",
                    papplClientGetLocString(visit->client, "Unknown"),
                    is[0] == '\0');
    for (int i = 0; i < data->num_media; i++)
        if (offer_is_size(data->media[i]))
            page_keyword(visit->client, "media", data->media[i],
                         strcmp(data->media[i], is) == 0);
    if (visit->custom)
        page_choice(visit->client, "custom",
                    papplClientGetLocString(visit->client, "Custom Size"),
                    is[0] != '\0' && !offer_has_media(&visit->offer, is));
    page_list_end(visit->client, &list);
}

static void show_side(const struct visit *visit, int tray, int which, int is,
                      int least, int most)
{
    const bool in = strcmp(field(visit, tray, UNITS, "mm"), "in") == 0;
    char name[NAME], value[PAGE_WORD], hint[PAGE_WORD], numbers[4][PAGE_NUMBER];
    struct page_field side = field_of(visit, tray, which, name);

    snprintf(value, sizeof value, "%.2f", is / (in ? 2540.0 : 100.0));
    snprintf(hint, sizeof hint, "%s - %s mm, %s - %s %s",
             page_number(least / 100.0, numbers[0]),
             page_number(most / 100.0, numbers[1]),
             page_number(least / 2540.0, numbers[2]),
             page_number(most / 2540.0, numbers[3]),
             papplClientGetLocString(visit->client, "in"));
    side.label = which == WIDTH ? "Custom Size: Width" : "Custom Size: Length";
    side.type = "number";
    side.more = "min=\"0\" step=\"any\"";
    side.value = field(visit, tray, which, is > 0 ? value : "");
    side.said = hint;
    page_input(visit->client, &side);
}

static void show_units(const struct visit *visit, int tray)
{
    const char *is = field(visit, tray, UNITS, "mm");
    char name[NAME];
    struct page_field list = field_of(visit, tray, UNITS, name);

    list.label = "Custom Size: Unit";
    page_list_start(visit->client, &list);
    page_choice(visit->client, "mm", "mm", strcmp(is, "mm") == 0);
    page_choice(visit->client, "in",
                papplClientGetLocString(visit->client, "in"),
                strcmp(is, "in") == 0);
    page_list_end(visit->client, &list);
}

static void show_custom(const struct visit *visit, int tray)
{
    const pappl_media_col_t *ready = &visit->offer.data.media_ready[tray];

    papplClientHTMLPuts(visit->client, "</tbody><tbody class=\"custom\">\n");
    show_side(visit, tray, WIDTH, ready->size_width, visit->least.width,
              visit->most.width);
    show_side(visit, tray, LENGTH, ready->size_length, visit->least.length,
              visit->most.length);
    show_units(visit, tray);
    papplClientHTMLPuts(visit->client, "</tbody><tbody>\n");
}

static void show_top(const struct visit *visit, int tray)
{
    const int *range = visit->offer.data.top_offset_supported;
    char name[NAME], value[PAGE_WORD], more[PAGE_WORD];
    struct page_field top = field_of(visit, tray, TOP, name);

    if (range[1] == 0)
        return;
    snprintf(value, sizeof value, "%.1f",
             visit->offer.data.media_ready[tray].top_offset / 100.0);
    snprintf(more, sizeof more, "min=\"%.2f\" max=\"%.2f\" step=\"any\"",
             range[0] / 100.0, range[1] / 100.0);
    top.label = "Offset";
    top.type = "number";
    top.value = field(visit, tray, TOP, value);
    top.more = more;
    top.unit = "mm";
    top.hint = "How much further down a label is printed.";
    page_input(visit->client, &top);
}

static void show_tracking(const struct visit *visit, int tray)
{
    const pappl_media_tracking_t has = visit->offer.data.tracking_supported;
    const pappl_media_tracking_t set =
        visit->offer.data.media_ready[tray].tracking;
    const char *is = field(visit, tray, TRACKING,
                           set != 0 ? _papplMediaTrackingString(set) : "");
    char name[NAME];
    struct page_field list = field_of(visit, tray, TRACKING, name);

    if (has == 0)
        return;
    list.label = "Tracking";
    list.hint = "How the printer finds the next label.";
    page_list_start(visit->client, &list);
    page_choice(visit->client, "",
                papplClientGetLocString(visit->client, "As the printer is set"),
                is[0] == '\0');
    for (unsigned bit = PAPPL_MEDIA_TRACKING_GAP;
         bit <= PAPPL_MEDIA_TRACKING_WEB; bit *= 2) /* type: "continuous" */
        if ((has & bit) != 0) {
            const char *keyword = _papplMediaTrackingString(bit);

            page_keyword(visit->client, "media-tracking", keyword,
                         strcmp(is, keyword) == 0);
        }
    page_list_end(visit->client, &list);
}

static void show_types(const struct visit *visit, int tray)
{
    const pappl_pr_driver_data_t *data = &visit->offer.data;
    const char *is = field(visit, tray, TYPE, data->media_ready[tray].type);
    char name[NAME];
    struct page_field list = field_of(visit, tray, TYPE, name);

    list.label = "Type";
    page_list_start(visit->client, &list);
    for (int i = 0; i < data->num_type; i++)
        page_keyword(visit->client, "media-type", data->type[i],
                     strcmp(data->type[i], is) == 0);
    page_list_end(visit->client, &list);
}

static void show_tray(const struct visit *visit, int tray)
{
    char word[PAGE_WORD];

    papplClientHTMLPrintf(
        visit->client,
        "<fieldset><legend>%s</legend><table class=\"form\"><tbody>\n",
        page_word(visit->client, "media-source", visit->offer.data.source[tray],
                  word));
    show_sizes(visit, tray);
    if (visit->custom)
        show_custom(visit, tray);
    show_types(visit, tray);
    show_tracking(visit, tray);
    show_top(visit, tray);
    papplClientHTMLPuts(visit->client, "</tbody></table></fieldset>\n");
}

static void show_page(const struct visit *visit)
{
    pappl_client_t *client = visit->client;
    char uri[1024];

    papplClientHTMLPrinterHeader(client, visit->printer, "Media", 0, NULL,
                                 NULL);
    page_banner(client, visit->says, visit->wrong);
    snprintf(uri, sizeof uri, "%s", papplClientGetURI(client));
    papplClientHTMLStartForm(client, uri, false);
    for (int tray = 0; tray < visit->offer.data.num_source; tray++)
        if (has_media(visit, tray))
            show_tray(visit, tray);
    papplClientHTMLPuts(client, "<p><input type=\"submit\" value=\"");
    page_say(client, "Save Changes");
    papplClientHTMLPuts(client, "\"></p></form>\n");
    papplClientHTMLPrinterFooter(client);
}

void media_page(pappl_client_t *client, pappl_printer_t *printer)
{
    struct visit visit = {.client = client, .printer = printer};

    if (!papplClientHTMLAuthorize(client))
        return;
    offer_open(&visit.offer, printer);
    visit.custom = offer_limits(&visit.offer, &visit.least, &visit.most);
    if (papplClientGetMethod(client) == HTTP_STATE_POST)
        do_form(&visit);
    show_page(&visit);
    offer_close(&visit.offer);
    cupsFreeOptions(visit.count, visit.form);
}
