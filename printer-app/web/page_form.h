/*
 * page_form.h - the fields of a form on a web page: each with its label, unit
 * and hint, and beside it what is wrong with it.
 *
 * Words are in English, and shown in the page's language where strings/ has
 * them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_PAGE_FORM_H
#define PRINTER_APP_PAGE_FORM_H

#include <pappl/pappl.h>

/* A field. NULL: absent. */
struct page_field {
    const char *name, *label;
    const char *type;  /* of an <input>, such as "text" */
    const char *value; /* not of a list */
    const char *more;  /* attributes, as HTML */
    const char *unit;
    const char *hint;
    const char *said; /* a hint in the page's language already */
    const char *error;
};

#define PAGE_WORD 256 /* bytes of a name for people */

/* Returns what people call an attribute's keyword, or a size of "media". */
const char *page_word(pappl_client_t *client, const char *attribute,
                      const char *keyword, char word[PAGE_WORD]);

#define PAGE_NUMBER 32

/* Writes a number as the page's language does. */
const char *page_number(double number, char text[PAGE_NUMBER]);

/* Says a word of ours in the page's language, where HTML is special, too. */
void page_say(pappl_client_t *client, const char *english);

/* Writes an element, of a class or NULL, with text that is said to be English
 * where it has no translation. */
void page_text(pappl_client_t *client, const char *tag, const char *class,
               const char *english);

/* A form and the table of its fields. `action`, which may be NULL, is the
 * hidden field of that name; `has_file`: it sends a file. page_form_end() has
 * the button. */
void page_form_start(pappl_client_t *client, const char *uri,
                     const char *action, bool has_file);
void page_form_end(pappl_client_t *client, const char *button);

/* A form that is a button alone. */
void page_button(pappl_client_t *client, const char *uri, const char *action,
                 const char *label);

/* An <input> in a row of its own. */
void page_input(pappl_client_t *client, const struct page_field *field);

/* A <textarea>. */
void page_lines(pappl_client_t *client, const struct page_field *field,
                int rows);

/* A list; a choice of it for each call of page_choice(), whose label is in the
 * page's language already, or page_keyword(), by its name for people; and its
 * end. */
void page_list_start(pappl_client_t *client, const struct page_field *field);
void page_choice(pappl_client_t *client, const char *value, const char *label,
                 bool selected);
void page_keyword(pappl_client_t *client, const char *attribute,
                  const char *keyword, bool selected);
void page_list_end(pappl_client_t *client, const struct page_field *field);

/* Reports the result of the form, if any: NULL and "" show nothing. */
void page_banner(pappl_client_t *client, const char *text, bool wrong);

#endif
