/*
 * info_form.c - the form for the place and the owner of printers and of the
 * server. PAPPL 1.3 (_papplClientHTMLInfo(), client-webif.c:729-876) gives
 * those without a place the one at 0 degrees, 0 degrees, which is saved with
 * every other change, shows it on a map that it loads from another server, has
 * fields without labels, and English words in all languages.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>

#include "printer-app/web/page_form.h"
#include "printer-app/web/pages.h"

#define DEGREES 32 /* bytes, as text */

/* Reads a geo: URI (RFC 5870) into degrees as text; "" if there is none. */
static void read_place(const char *uri, char latitude[DEGREES],
                       char longitude[DEGREES])
{
    double north, east;

    latitude[0] = longitude[0] = '\0';
    if (uri == NULL || sscanf(uri, "geo:%lf,%lf", &north, &east) != 2)
        return;
    snprintf(latitude, DEGREES, "%.4f", north);
    snprintf(longitude, DEGREES, "%.4f", east);
}

/* ---- To be changed -------------------------------------------------------
 */

static void show_form(pappl_client_t *client, const char *name,
                      const char *location, const char *geo,
                      const char *organization, const char *unit,
                      const pappl_contact_t *contact)
{
    static const char north_range[] = "min=\"-90\" max=\"90\" step=\"any\"",
                      east_range[] = "min=\"-180\" max=\"180\" step=\"any\"";
    char latitude[DEGREES], longitude[DEGREES], uri[1024];

    read_place(geo, latitude, longitude);

    const struct page_field fields[] = {
        {.name = "dns_sd_name",
         .label = "Name",
         .type = "text",
         .value = name,
         .hint = "As other computers and phones show it."},
        {.name = "location",
         .label = "Location",
         .type = "text",
         .value = location,
         .hint = "For people, such as: second floor, room 12."},
        {.name = "geo_location_lat",
         .label = "Latitude",
         .type = "number",
         .value = latitude,
         .more = north_range,
         .unit = "degrees north"},
        {.name = "geo_location_lon",
         .label = "Longitude",
         .type = "number",
         .value = longitude,
         .more = east_range,
         .unit = "degrees east",
         .hint = "Both, or neither."},
        {.name = "organization",
         .label = "Organization",
         .type = "text",
         .value = organization},
        {.name = "organizational_unit",
         .label = "Department",
         .type = "text",
         .value = unit},
        {.name = "contact_name",
         .label = "Contact: Name",
         .type = "text",
         .value = contact->name},
        {.name = "contact_email",
         .label = "Contact: E-mail",
         .type = "email",
         .value = contact->email},
        {.name = "contact_telephone",
         .label = "Contact: Telephone",
         .type = "tel",
         .value = contact->telephone},
    };

    snprintf(uri, sizeof uri, "%s", papplClientGetURI(client));
    page_form_start(client, uri, NULL, false);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        page_input(client, &fields[i]);
    page_form_end(client, "Save Changes");
}

/* ---- To be read ----------------------------------------------------------
 */

static void start_row(pappl_client_t *client, const char *label)
{
    papplClientHTMLPuts(client, "<tr><th>");
    page_say(client, label);
    papplClientHTMLPuts(client, ":</th><td>");
}

static void end_row(pappl_client_t *client, bool empty)
{
    if (empty)
        page_say(client, "Not set");
    papplClientHTMLPuts(client, "</td></tr>\n");
}

/* Shows text in a row, with more of it in a second line; either may be "" or
 * NULL. */
static void show(pappl_client_t *client, const char *label, const char *text,
                 const char *more)
{
    const bool has_text = text != NULL && text[0] != '\0',
               has_more = more != NULL && more[0] != '\0';

    start_row(client, label);
    if (has_text)
        papplClientHTMLEscape(client, text, 0);
    if (has_text && has_more)
        papplClientHTMLPuts(client, "<br>");
    if (has_more)
        papplClientHTMLEscape(client, more, 0);
    end_row(client, !has_text && !has_more);
}

static void show_contact(pappl_client_t *client, const pappl_contact_t *contact)
{
    const bool has_name = contact->name[0] != '\0',
               has_mail = contact->email[0] != '\0',
               has_telephone = contact->telephone[0] != '\0';

    start_row(client, "Contact");
    if (has_mail)
        papplClientHTMLPrintf(client, "<a href=\"mailto:%s\">%s</a>",
                              contact->email,
                              has_name ? contact->name : contact->email);
    else if (has_name)
        papplClientHTMLEscape(client, contact->name, 0);
    if (has_telephone)
        papplClientHTMLPrintf(client, "%s<a href=\"tel:%s\">%s</a>",
                              has_name || has_mail ? ", " : "",
                              contact->telephone, contact->telephone);
    end_row(client, !has_name && !has_mail && !has_telephone);
}

void info_form(pappl_client_t *client, bool is_form, const char *name,
               const char *location, const char *geo, const char *organization,
               const char *unit, const pappl_contact_t *contact)
{
    char latitude[DEGREES], longitude[DEGREES], place[2 * DEGREES + 8] = "";

    if (is_form) {
        show_form(client, name, location, geo, organization, unit, contact);
        return;
    }
    read_place(geo, latitude, longitude);
    if (latitude[0] != '\0')
        snprintf(place, sizeof place, "%s°, %s°", latitude, longitude);
    papplClientHTMLPuts(client, "<table class=\"form\"><tbody>\n");
    show(client, "Name", name, NULL);
    show(client, "Location", location, place);
    show(client, "Organization", organization, unit);
    show_contact(client, contact);
    papplClientHTMLPuts(client, "</tbody></table>\n");
}
