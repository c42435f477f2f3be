/*
 * page_form.c - the fields of a form on a web page.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pappl-fixes/pappl-fixes.h"
#include "printer-app/web/page_form.h"

/* ---- Words ---------------------------------------------------------------
 */

const char *page_number(double number, char text[PAGE_NUMBER])
{
    char *point;

    snprintf(text, PAGE_NUMBER, "%.4g", number);
    point = strchr(text, '.');
    if (point != NULL && strcmp(papplfixes_language(), "en") != 0)
        *point = ',';
    return text;
}

/* Names a size by its sides, in its own unit. */
static void name_size(pappl_client_t *client, const pwg_media_t *size,
                      char word[PAGE_WORD])
{
    const size_t length = strlen(size->pwg);
    const bool in = length > 2 && strcmp(size->pwg + length - 2, "in") == 0;
    const double unit = in ? 2540 : 100;
    char sides[2][PAGE_NUMBER];

    papplLocFormatString(papplClientGetLoc(client), word, PAGE_WORD,
                         "%s x %s %s",
                         page_number(size->width / unit, sides[0]),
                         page_number(size->length / unit, sides[1]),
                         in ? papplClientGetLocString(client, "in") : "mm");
}

const char *page_word(pappl_client_t *client, const char *attribute,
                      const char *keyword, char word[PAGE_WORD])
{
    const bool is_size = strcmp(attribute, "media") == 0;
    const pwg_media_t *size = is_size ? pwgMediaForPWG(keyword) : NULL;
    char key[PAGE_WORD];

    snprintf(key, sizeof key, "%s.%s", attribute, keyword);

    const char *found = papplClientGetLocString(client, key);

    if (found == key && size != NULL) {
        name_size(client, size, word);
        return word;
    }
    snprintf(word, PAGE_WORD, "%s", found == key ? keyword : found);
    if (found == key)
        word[0] = (char)toupper((unsigned char)word[0]);
    return word;
}

void page_say(pappl_client_t *client, const char *english)
{
    papplClientHTMLEscape(client, papplClientGetLocString(client, english), 0);
}

void page_text(pappl_client_t *client, const char *tag, const char *class,
               const char *english)
{
    const char *said = papplClientGetLocString(client, english);

    papplClientHTMLPrintf(client, "<%s", tag);
    if (class != NULL)
        papplClientHTMLPrintf(client, " class=\"%s\"", class);
    if (said == english && strcmp(papplfixes_language(), "en") != 0)
        papplClientHTMLPuts(client, " lang=\"en\"");
    papplClientHTMLPuts(client, ">");
    papplClientHTMLEscape(client, said, 0);
    papplClientHTMLPrintf(client, "</%s>\n", tag);
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
                     const char *action, bool has_file)
{
    form_start(client, uri, action, has_file);
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
    papplClientHTMLPrintf(client,
                          "<tr><th></th><td><input type=\"submit\" "
                          "value=\"%s\"></td></tr>\n</tbody></table></form>\n",
                          papplClientGetLocString(client, button));
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
    papplClientHTMLPrintf(client,
                          "<tr><th><label for=\"%s\">%s</label></th><td>\n"
                          "<%s id=\"%s\" name=\"%s\"",
                          field->name,
                          papplClientGetLocString(client, field->label), tag,
                          field->name, field->name);
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

void page_keyword(pappl_client_t *client, const char *attribute,
                  const char *keyword, bool selected)
{
    char word[PAGE_WORD];

    page_choice(client, keyword, page_word(client, attribute, keyword, word),
                selected);
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
