/*
 * page_form.c - the fields of a form on a web page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/web/page_form.h"

void page_say(pappl_client_t *client, const char *english)
{
    papplClientHTMLEscape(client, papplClientGetLocString(client, english), 0);
}

/* Returns the attribute lang="en" if `said`, the translation of `english`, is
 * English still. */
static const char *lang_of(const char *english, const char *said)
{
    return said == english ? " lang=\"en\"" : ""; /* no translation */
}

void page_text(pappl_client_t *client, const char *tag, const char *class,
               const char *english)
{
    const char *said = papplClientGetLocString(client, english);

    papplClientHTMLPrintf(client, "<%s", tag);
    if (class != NULL)
        papplClientHTMLPrintf(client, " class=\"%s\"", class);
    papplClientHTMLPuts(client, lang_of(english, said));
    papplClientHTMLPrintf(client, ">%s</%s>\n", said, tag);
}

static void form_start(pappl_client_t *client, const char *uri,
                       const char *action, bool has_file)
{
    papplClientHTMLStartForm(client, uri, has_file);
    if (action != NULL)
        papplClientHTMLPrintf(
            client, "<input type=\"hidden\" name=\"action\" value=\"%s\">\n",
            action);
}

void page_form_start(pappl_client_t *client, const char *uri,
                     const char *action)
{
    form_start(client, uri, action, false);
    papplClientHTMLPuts(client, "<table class=\"form\"><tbody>\n");
}

void page_file_form_start(pappl_client_t *client, const char *uri,
                          const char *action)
{
    form_start(client, uri, action, true);
    papplClientHTMLPuts(client, "<table class=\"form\"><tbody>\n");
}

void page_button(pappl_client_t *client, const char *uri, const char *action,
                 const char *label)
{
    form_start(client, uri, action, false);
    papplClientHTMLPrintf(client,
                          "<input type=\"submit\" value=\"%s\"></form>\n",
                          papplClientGetLocString(client, label));
}

void page_form_end(pappl_client_t *client, const char *button)
{
    const char *said = papplClientGetLocString(client, button);

    papplClientHTMLPuts(client, "<tr><th></th><td><input type=\"submit\"");
    papplClientHTMLPuts(client, lang_of(button, said));
    papplClientHTMLPrintf(
        client, " value=\"%s\"></td></tr>\n</tbody></table></form>\n", said);
}

/* Whether there is something to be read behind a field. */
static bool has_more(const struct page_field *field)
{
    return field->hint != NULL || field->said != NULL || field->error != NULL;
}

/* Writes a field's row up to the tag, and the attributes of every tag: with
 * "aria-describedby", a screen reader says the hint and the error, too. */
static void start(pappl_client_t *client, const struct page_field *field,
                  const char *tag)
{
    const char *said = papplClientGetLocString(client, field->label);

    papplClientHTMLPrintf(client, "<tr><th><label for=\"%s\"", field->name);
    papplClientHTMLPuts(client, lang_of(field->label, said));
    papplClientHTMLPrintf(client,
                          ">%s</label></th><td>\n<%s id=\"%s\" name=\"%s\"",
                          said, tag, field->name, field->name);
    if (has_more(field))
        papplClientHTMLPrintf(client, " aria-describedby=\"%s-more\"",
                              field->name);
    if (field->error != NULL)
        papplClientHTMLPuts(client, " aria-invalid=\"true\"");
    if (field->more != NULL) {
        papplClientHTMLPuts(client, " ");
        papplClientHTMLPuts(client, field->more);
    }
}

static void end(pappl_client_t *client, const struct page_field *field)
{
    if (field->unit != NULL) {
        papplClientHTMLPuts(client, " ");
        page_say(client, field->unit);
    }
    if (has_more(field))
        papplClientHTMLPrintf(client, "<div id=\"%s-more\">", field->name);
    if (field->error != NULL)
        page_text(client, "p", "error", field->error);
    if (field->hint != NULL)
        page_text(client, "span", "hint", field->hint);
    if (field->said != NULL)
        papplClientHTMLPrintf(client, "<span class=\"hint\">%s</span>",
                              field->said);
    if (has_more(field))
        papplClientHTMLPuts(client, "</div>");
    papplClientHTMLPuts(client, "</td></tr>\n");
}

void page_input(pappl_client_t *client, const struct page_field *field)
{
    start(client, field, "input");
    papplClientHTMLPrintf(client, " type=\"%s\" value=\"%s\">", field->type,
                          field->value != NULL ? field->value : "");
    end(client, field);
}

void page_lines(pappl_client_t *client, const struct page_field *field,
                int rows)
{
    start(client, field, "textarea");
    papplClientHTMLPrintf(client, " rows=\"%d\" cols=\"60\">\n%s</textarea>",
                          rows, field->value != NULL ? field->value : "");
    end(client, field);
}

void page_list_start(pappl_client_t *client, const struct page_field *field)
{
    start(client, field, "select");
    papplClientHTMLPuts(client, ">\n");
}

void page_choice(pappl_client_t *client, const char *value, const char *label,
                 bool selected)
{
    papplClientHTMLPrintf(client, "<option value=\"%s\"%s>%s</option>\n", value,
                          selected ? " selected" : "", label);
}

void page_list_end(pappl_client_t *client, const struct page_field *field)
{
    papplClientHTMLPuts(client, "</select>");
    end(client, field);
}

void page_banner(pappl_client_t *client, const char *text, bool wrong)
{
    if (text != NULL && text[0] != '\0')
        page_text(client, "div", wrong ? "banner error" : "banner", text);
}
