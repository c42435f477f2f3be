/*
 * page_mend.c - a page's language, landmarks, headings in order, names of
 * fields and pictures, and tables that small screens show as lists: what PAPPL
 * 1.3 leaves out of its HTML. All else passes as it is.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "printer-app/web/page_mend.h"

#define MAX_COLUMNS 8 /* of a list; further ones have no names */

struct mend {
    struct html *html;
    const struct page_facts *facts;
    struct html_span rest; /* what follows the tag */
    struct html_span title;
    bool many_headings; /* of the first level: all go down by one */
    unsigned divs;      /* that are open */
    bool in_printer;    /* behind what says which printer this is */
    bool has_pager;     /* one that has been named */
    bool in_head;       /* of a table */
    bool in_list;       /* a table of things, not of fields */
    struct html_span columns[MAX_COLUMNS]; /* their names */
    unsigned column, row;
    struct html_span first; /* of the row: a job's number */
    bool row_is_name;       /* its <th>, of the fields that have no label */
    bool cell_is_empty_head, cell_is_group;
    bool in_label, in_picture_label;
    bool has_error; /* of the cell's field */
    bool in_banner;
    bool in_paragraph;
    bool has_words; /* the next text, of PAPPL's or a driver's */
};

static void put(struct mend *mend, const char *text)
{
    html_text(mend->html, text);
}

static void put_span(struct mend *mend, struct html_span span)
{
    html_span(mend->html, span);
}

/* Writes text of PAPPL's or a driver's, which may be English still. */
static void put_words(struct mend *mend, struct html_span text)
{
    char english[256];

    snprintf(english, sizeof english, "%.*s",
             (int)(text.size < sizeof english ? text.size : 0), text.at);

    const char *said = mend->facts->say(english, mend->facts->data);

    if (said != english)
        put(mend, said);
    else
        put_span(mend, text);
}

/* Writes ours, which has no characters that HTML knows. */
static void say(struct mend *mend, const char *english)
{
    put(mend, mend->facts->say(english, mend->facts->data));
}

static void put_number(struct mend *mend, const char *format, unsigned number)
{
    char text[64];

    snprintf(text, sizeof text, format, number);
    put(mend, text);
}

static bool has_class(const struct tag *tag, const char *word)
{
    return span_has_word(tag_attribute(tag, "class"), word);
}

static bool has_type(const struct tag *tag, const char *type)
{
    return span_is(tag_attribute(tag, "type"), type);
}

/* Returns the text from here to `end`; all that is left if it is not there. */
static struct html_span ahead(struct html_span rest, const char *end)
{
    const size_t size = strlen(end);

    for (size_t i = 0; i + size <= rest.size; i++)
        if (memcmp(rest.at + i, end, size) == 0)
            return (struct html_span){rest.at, i};
    return rest;
}

static bool has_text(struct html_span span, const char *text)
{
    return ahead(span, text).size < span.size;
}

/* ---- The frame: language, landmarks, headings -----------------------------
 */

static void mend_html(struct mend *mend, const struct tag *tag)
{
    html_tag(mend->html, tag, "lang");
    put(mend, " lang=\"");
    put(mend, mend->facts->language);
    put(mend, "\">");
}

/* Returns the page's own name: its title without the server's. */
static struct html_span name_of_page(const struct mend *mend)
{
    const size_t server = strlen(mend->facts->server) + strlen(" - ");
    struct html_span name = mend->title;

    if (name.size > server)
        name.size -= server;
    return name;
}

/* Writes the page's own heading where PAPPL has only those of its parts. */
static void put_heading(struct mend *mend)
{
    put(mend, "<h1 class=\"page\">");
    put_span(mend, name_of_page(mend));
    put(mend, "</h1>\n");
}

/* Writes which printer the page is about behind the text of its heading. */
static void put_printer(struct mend *mend)
{
    const struct html_span name = name_of_page(mend),
                           text = ahead(mend->rest, "<");

    if (text.size == 0 || text.size >= name.size ||
        memcmp(name.at, text.at, text.size) != 0)
        return;
    put_span(mend, name);
    if (text.at[text.size - 1] == ' ') /* a button follows */
        put(mend, " ");
    mend->rest.at += text.size;
    mend->rest.size -= text.size;
}

static void close_divs(struct mend *mend, unsigned but)
{
    for (; mend->divs > but; mend->divs--)
        put(mend, "</div>\n");
}

/* Writes a part's role, and a name, or NULL, among others of its kind. */
static void put_role(struct mend *mend, const char *role, const char *name)
{
    put(mend, " role=\"");
    put(mend, role);
    put(mend, "\"");
    if (name == NULL)
        return;
    put(mend, " aria-label=\"");
    say(mend, name);
    put(mend, "\"");
}

static void put_part(struct mend *mend, const struct tag *tag)
{
    const bool links = has_text(ahead(mend->rest, "</div>"), "<a ");
    const bool wrong = mend->facts->why[0] != '\0' || has_class(tag, "error");

    if (has_class(tag, "header"))
        put_role(mend, "banner", NULL);
    else if (has_class(tag, "content"))
        put_role(mend, "main", NULL);
    else if (has_class(tag, "footer"))
        put_role(mend, "contentinfo", NULL);
    else if (has_class(tag, "banner"))
        put_role(mend, wrong ? "alert" : "status", NULL);
    else if (has_class(tag, "log"))
        put_role(mend, "region", "Log");
    else if (has_class(tag, "header2") && !links)
        put_role(mend, "region", "Version");
    else if (has_class(tag, "nav") && links)
        put_role(mend, "navigation", mend->in_printer ? "Printer" : "Server");
    else if (has_class(tag, "pager") && !mend->has_pager)
        put_role(mend, "navigation", "Pages of the list");
}

/* Appends the version to the address of the style sheet, so that browsers do
 * not use that of another version. */
static void mend_sheet(struct mend *mend, const struct tag *tag)
{
    static const char sheet[] = "/style.css";

    if (!span_is(tag_attribute(tag, "href"), sheet)) {
        put_span(mend, tag->whole);
        return;
    }
    html_tag(mend->html, tag, "href");
    put(mend, " href=\"");
    put(mend, sheet);
    put(mend, "?" PACKAGE_VERSION "\">");
}

static void mend_div(struct mend *mend, const struct tag *tag)
{
    if (has_class(tag, "footer"))
        close_divs(mend, 0); /* which some pages leave open */
    mend->divs++;
    mend->in_printer |= has_class(tag, "header2");
    html_tag(mend->html, tag, "");
    put_part(mend, tag);
    if (has_class(tag, "log"))
        put(mend, " tabindex=\"0\"");
    put(mend, ">");
    mend->in_banner = mend->has_words = has_class(tag, "banner");
    mend->has_pager |= has_class(tag, "pager");
    if (has_class(tag, "content") && mend->many_headings)
        put_heading(mend);
}

/* Writes what is wrong, with more attributes. */
static void put_error(struct mend *mend, const char *more)
{
    put(mend, "<p class=\"error\" lang=\"en\"");
    put(mend, more);
    put(mend, ">");
    html_escape(mend->html, mend->facts->why);
    put(mend, "</p>");
}

static void mend_div_end(struct mend *mend, const struct tag *tag)
{
    if (mend->divs == 0)
        return; /* of nothing */
    mend->divs--;
    if (mend->in_banner && mend->facts->why[0] != '\0')
        put_error(mend, "");
    mend->in_banner = false;
    put_span(mend, tag->whole);
}

static void mend_body_end(struct mend *mend, const struct tag *tag)
{
    close_divs(mend, 0);
    put_span(mend, tag->whole);
}

static void mend_title(struct mend *mend, const struct tag *tag)
{
    mend->title = ahead(mend->rest, "</title>");
    put_span(mend, tag->whole);
}

static bool is_heading(const struct tag *tag)
{
    return tag->name.size == 2 && (tag->name.at[0] | ' ') == 'h' &&
           tag->name.at[1] >= '1' && tag->name.at[1] <= '5';
}

static void mend_heading(struct mend *mend, const struct tag *tag)
{
    const char level[] = {(char)(tag->name.at[1] + mend->many_headings), '\0'};
    const char *behind = tag->name.at + 2;

    put(mend, tag->closes ? "</h" : "<h");
    put(mend, level);
    put_span(mend,
             (struct html_span){
                 behind, (size_t)(tag->whole.at + tag->whole.size - behind)});
    if (!tag->closes && tag->name.at[1] == '1' && !mend->many_headings)
        put_printer(mend);
}

/* ---- Links and pictures ---------------------------------------------------
 */

static void mend_link(struct mend *mend, const struct tag *tag)
{
    const struct html_span href = tag_attribute(tag, "href");
    const struct html_span text = ahead(mend->rest, "</a>");
    const char *path = NULL;

    if (mend->facts->plain_links && href.size > 8 &&
        memcmp(href.at, "https://", 8) == 0)
        path = memchr(href.at + 8, '/', href.size - 8);
    html_tag(mend->html, tag, path != NULL ? "href" : "");
    if (path != NULL) {
        put(mend, " href=\"");
        put_span(mend, (struct html_span){
                           path, (size_t)(href.at + href.size - path)});
        put(mend, "\"");
    }
    if (span_is(text, "&laquo;") || span_is(text, "&raquo;")) {
        put(mend, " aria-label=\"");
        say(mend, span_is(text, "&laquo;") ? "Previous" : "Next");
        put(mend, "\"");
    }
    put(mend, ">");
}

/* A picture that is to be pressed becomes a button. */
static void put_picture_button(struct mend *mend, const struct tag *tag)
{
    struct tag button = *tag;

    put(mend, "<button type=\"button\" aria-label=\"");
    say(mend, "Show or hide the password");
    put(mend, "\"");
    button.whole.at = tag->name.at + tag->name.size;
    button.whole.size -= (size_t)(button.whole.at - tag->whole.at);
    put_span(mend, button.whole);
    put(mend, "</button>");
}

static void mend_picture(struct mend *mend, const struct tag *tag)
{
    const struct html_span alt = tag_attribute(tag, "alt");

    if (tag_attribute(tag, "onclick").at != NULL) {
        put_picture_button(mend, tag);
        return;
    }
    html_tag(mend->html, tag, "alt");
    put(mend, " alt=\"\">");
    if (mend->in_picture_label) {
        char name[32];

        snprintf(name, sizeof name, "%.*s", (int)alt.size, alt.at);
        put(mend, " ");
        say(mend, name);
    } else if (span_is(tag_attribute(tag, "src"), "/navicon.png")) {
        say(mend, "Home");
    }
}

/* ---- Tables ---------------------------------------------------------------
 */

static void mend_table(struct mend *mend, const struct tag *tag)
{
    const struct html_span summary = tag_attribute(tag, "summary");

    mend->in_list = has_class(tag, "list");
    memset(mend->columns, 0, sizeof mend->columns);
    html_tag(mend->html, tag, "summary");
    if (summary.size > 0) {
        put(mend, " aria-label=\"");
        put_span(mend, mend->title);
        put(mend, "\"");
    }
    put(mend, ">");
}

static void mend_row(struct mend *mend, const struct tag *tag)
{
    mend->row++;
    mend->column = 0;
    mend->row_is_name = false;
    mend->first = (struct html_span){NULL, 0};
    put_span(mend, tag->whole);
}

static void mend_head_cell(struct mend *mend, const struct tag *tag)
{
    const struct html_span text = ahead(mend->rest, "</th>");

    mend->cell_is_empty_head = text.size == 0;
    if (text.size == 0) {
        put(mend, "<td>");
    } else if (mend->in_head) {
        if (mend->column < MAX_COLUMNS)
            mend->columns[mend->column] = text;
        html_tag(mend->html, tag, "");
        put(mend, " scope=\"col\">");
    } else {
        mend->row_is_name = !has_text(text, "<label");
        html_tag(mend->html, tag, "id");
        put_number(mend, " scope=\"row\" id=\"row%u\">", mend->row);
    }
    mend->column++;
}

static void mend_cell(struct mend *mend, const struct tag *tag)
{
    const struct html_span text = ahead(mend->rest, "</td>");

    if (mend->column == 0)
        mend->first = text;
    mend->cell_is_group = mend->row_is_name && has_text(text, "type=\"radio\"");
    html_tag(mend->html, tag, "");
    if (mend->in_list && !mend->in_head && mend->column < MAX_COLUMNS &&
        mend->columns[mend->column].size > 0 && text.size > 0 &&
        tag_attribute(tag, "colspan").at == NULL) {
        put(mend, " data-label=\"");
        put_span(mend, mend->columns[mend->column]);
        put(mend, "\"");
    }
    put(mend, ">");
    if (mend->cell_is_group)
        put_number(mend, "<div role=\"radiogroup\" aria-labelledby=\"row%u\">",
                   mend->row);
    mend->column++;
}

/* ---- Fields ---------------------------------------------------------------
 */

/* Several forms of a page have one id; the scripts find it by name, too.
 * Nothing that we know of can be told to show itself: that form is left out. */
static void mend_form(struct mend *mend, const struct tag *tag)
{
    const struct html_span form = ahead(mend->rest, "</form>");

    if (has_text(form, "\"identify-printer\"")) {
        const size_t end = form.size < mend->rest.size ? strlen("</form>") : 0;

        mend->rest.at += form.size + end;
        mend->rest.size -= form.size + end;
        return;
    }
    html_tag(mend->html, tag, "id");
    put(mend, " name=\"form\">");
}

/* Says which job a button of a list is for. */
static void put_button(struct mend *mend, const struct tag *tag)
{
    const struct html_span value = tag_attribute(tag, "value");

    html_tag(mend->html, tag, "value");
    if (value.at != NULL) {
        put(mend, " value=\"");
        put_words(mend, value);
        put(mend, "\"");
    }
    if (mend->in_list && mend->first.size > 0 && value.size > 0) {
        put(mend, " aria-label=\"");
        put_span(mend, value);
        put(mend, " ");
        put_span(mend, mend->first);
        put(mend, "\"");
    }
    put(mend, ">");
}

/* Gives a field the id that the label before it asks for, or the name that its
 * row has. */
static void mend_field(struct mend *mend, const struct tag *tag)
{
    const struct html_span name = tag_attribute(tag, "name");
    const bool has_name = tag_attribute(tag, "aria-label").at != NULL ||
                          tag_attribute(tag, "aria-labelledby").at != NULL;

    if (has_type(tag, "submit")) {
        put_button(mend, tag);
        return;
    }
    if (has_type(tag, "hidden") || has_type(tag, "radio") || mend->in_label ||
        name.size == 0 || has_name) {
        put_span(mend, tag->whole);
        return;
    }
    html_tag(mend->html, tag, "");
    if (tag_attribute(tag, "id").at == NULL) {
        put(mend, " id=\"");
        put_span(mend, name);
        put(mend, "\"");
    }
    if (span_is(name, mend->facts->field)) {
        mend->has_error = true;
        put(mend, " aria-invalid=\"true\" aria-describedby=\"error\"");
    }
    if (mend->row_is_name)
        put_number(mend, " aria-labelledby=\"row%u\"", mend->row);
    put(mend, ">");
}

/* ---- The page -------------------------------------------------------------
 */

static void mend_end(struct mend *mend, const struct tag *tag)
{
    if (tag_is(tag, "div")) {
        mend_div_end(mend, tag);
        return;
    }
    if (tag_is(tag, "body")) {
        mend_body_end(mend, tag);
        return;
    }
    if (is_heading(tag)) {
        mend_heading(mend, tag);
        return;
    }
    if (tag_is(tag, "th") && mend->cell_is_empty_head) {
        put(mend, "</td>");
        return;
    }
    if (tag_is(tag, "td") && mend->cell_is_group)
        put(mend, "</div>");
    if (tag_is(tag, "td") && mend->has_error)
        put_error(mend, " id=\"error\"");
    if (tag_is(tag, "td"))
        mend->cell_is_group = mend->has_error = false;
    else if (tag_is(tag, "thead"))
        mend->in_head = false;
    else if (tag_is(tag, "p"))
        mend->in_paragraph = false;
    else if (tag_is(tag, "table"))
        mend->in_list = mend->row_is_name = false;
    else if (tag_is(tag, "label"))
        mend->in_label = mend->in_picture_label = false;
    put_span(mend, tag->whole);
}

static void mend_start(struct mend *mend, const struct tag *tag)
{
    static const struct {
        const char *name;
        void (*mend)(struct mend *mend, const struct tag *tag);
    } rules[] = {
        {"link", mend_sheet},   {"html", mend_html},
        {"title", mend_title},  {"div", mend_div},
        {"a", mend_link},       {"img", mend_picture},
        {"table", mend_table},  {"tr", mend_row},
        {"th", mend_head_cell}, {"td", mend_cell},
        {"form", mend_form},    {"input", mend_field},
        {"select", mend_field}, {"textarea", mend_field},
    };

    mend->has_words = tag_is(tag, "label") || tag_is(tag, "h1") ||
                      (tag_is(tag, "br") && mend->in_paragraph);
    if (is_heading(tag)) {
        mend_heading(mend, tag);
        return;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (tag_is(tag, rules[i].name)) {
            rules[i].mend(mend, tag);
            return;
        }
    if (tag_is(tag, "thead")) {
        mend->in_head = true;
    } else if (tag_is(tag, "p")) {
        mend->in_paragraph = true;
    } else if (tag_is(tag, "label")) {
        mend->in_label = true;
        mend->in_picture_label = has_class(tag, "image");
    }
    put_span(mend, tag->whole);
}

static unsigned count_headings(struct html_span rest)
{
    struct html_span text;
    struct tag tag = {.closes = false};
    unsigned count = 0;

    while (tag_next(&rest, &text, &tag))
        count += !tag.closes && tag_is(&tag, "h1");
    return count;
}

void page_mend(struct html *html, struct html_span page,
               const struct page_facts *facts)
{
    struct mend mend = {.html = html, .facts = facts, .rest = page};
    struct tag tag = {.closes = false};
    struct html_span text;

    mend.many_headings = count_headings(page) != 1;
    while (tag_next(&mend.rest, &text, &tag)) {
        if (mend.has_words)
            put_words(&mend, text);
        else
            put_span(&mend, text);
        mend.has_words = false;
        if (tag.closes)
            mend_end(&mend, &tag);
        else
            mend_start(&mend, &tag);
    }
    put_span(&mend, text);
}
