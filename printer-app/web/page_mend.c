/*
 * page_mend.c - a page's language, landmarks, headings in order, names of
 * fields and pictures, and tables that small screens show as lists: what PAPPL
 * 1.3 leaves out of its HTML. libxml2 reads and writes the HTML.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include <libxml/HTMLparser.h>
#include <libxml/xmlsave.h>

#include "printer-app/web/page_mend.h"

#define MOST_BYTES (8 << 20) /* That of 500 waiting jobs has 0.5 MB. */

struct mend {
    const struct page_facts *facts;
    xmlChar *title, *name; /* the page's; name: without the server's */
    bool many_headings;    /* of the first level: all go down by one */
    bool in_printer;       /* behind what says which printer this is */
    bool has_pager;        /* one that has been named */
    unsigned rows;
    xmlNode *columns; /* the row that has a list's names of columns */
};

static const char *say(const struct mend *mend, const char *english)
{
    return mend->facts->say(english, mend->facts->data);
}

/* ---- Elements -------------------------------------------------------------
 */

static bool is(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE &&
           strcmp((const char *)node->name, name) == 0;
}

/* Returns the text that an element or attribute begins with. */
static const char *text_of(const xmlNode *children)
{
    return children != NULL && children->type == XML_TEXT_NODE
               ? (const char *)children->content
               : "";
}

static bool has(const xmlNode *node, const char *attribute)
{
    return xmlHasProp(node, BAD_CAST attribute) != NULL;
}

/* Returns an attribute's value, "" if the element has none. */
static const char *get(const xmlNode *node, const char *attribute)
{
    const xmlAttr *found = xmlHasProp(node, BAD_CAST attribute);

    return text_of(found != NULL ? found->children : NULL);
}

/* `value` may be the attribute's own. */
static void set(xmlNode *node, const char *attribute, const char *value)
{
    xmlChar *copy = xmlStrdup(BAD_CAST value);

    if (xmlCheckUTF8(copy))
        xmlSetProp(node, BAD_CAST attribute, copy);
    xmlFree(copy);
}

static bool has_class(const xmlNode *node, const char *class)
{
    const size_t size = strlen(class);

    for (const char *at = get(node, "class"); *at != '\0';
         at += strspn(at, " ")) {
        const size_t word = strcspn(at, " ");

        if (word == size && memcmp(at, class, size) == 0)
            return true;
        at += word;
    }
    return false;
}

static xmlNode *up(xmlNode *node, const char *name)
{
    while (node != NULL && !is(node, name))
        node = node->parent;
    return node;
}

/* Returns the node in `top` that follows `node` and all in it, or NULL. */
static xmlNode *behind(xmlNode *node, const xmlNode *top)
{
    while (node != top && node->next == NULL)
        node = node->parent;
    return node == top ? NULL : node->next;
}

static xmlNode *following(xmlNode *node, const xmlNode *top)
{
    return node->type == XML_ELEMENT_NODE && node->children != NULL
               ? node->children
               : behind(node, top);
}

/* Counts the elements in `top`, of those with this value of the attribute,
 * unless that is NULL. */
static unsigned count(xmlNode *top, const char *name, const char *attribute,
                      const char *value)
{
    unsigned found = 0;

    for (xmlNode *node = top; node != NULL; node = following(node, top))
        found += is(node, name) && (attribute == NULL ||
                                    strcmp(get(node, attribute), value) == 0);
    return found;
}

/* Puts words of PAPPL's or a driver's, which may be English still, into the
 * page's language. */
static void say_words(const struct mend *mend, xmlNode *text)
{
    if (text != NULL && text->type == XML_TEXT_NODE) {
        const char *said = say(mend, (const char *)text->content);

        if (said != (const char *)text->content)
            xmlNodeSetContent(text, BAD_CAST said);
    }
}

/* Says what is wrong. */
static xmlNode *add_error(const struct mend *mend, xmlNode *in)
{
    xmlNode *error =
        xmlNewTextChild(in, NULL, BAD_CAST "p", BAD_CAST mend->facts->why);

    set(error, "class", "error");
    set(error, "lang", "en");
    return error;
}

/* ---- The frame: language, landmarks, headings -----------------------------
 */

/* Appends the version to the address of the style sheet, so that browsers do
 * not use that of another version. */
static void mend_sheet(struct mend *mend, xmlNode *link)
{
    (void)mend;
    if (strcmp(get(link, "href"), "/style.css") == 0)
        set(link, "href", "/style.css?" PACKAGE_VERSION);
}

/* Parts, whose roles screen readers know, with names among others of their
 * kind. */
static const struct part {
    const char *class, *role, *name;
} parts[] = {{"header", "banner", NULL},
             {"content", "main", NULL},
             {"footer", "contentinfo", NULL},
             {"banner", "status", NULL},
             {"log", "region", "Log"},
             {"header2", "region", "Version"},
             {"nav", "navigation", "Server"},
             {"pager", "navigation", "Pages of the list"}};

static void set_role(struct mend *mend, xmlNode *div)
{
    const bool links = count(div, "a", NULL, NULL) > 0;
    const bool wrong = mend->facts->why[0] != '\0' || has_class(div, "error");
    const struct part *part = parts, *end = part + sizeof parts / sizeof *part;

    while (part < end && !has_class(div, part->class))
        part++;
    if (part == end || (has_class(div, "header2") && links) ||
        (has_class(div, "nav") && !links) ||
        (has_class(div, "pager") && mend->has_pager))
        return;
    set(div, "role", has_class(div, "banner") && wrong ? "alert" : part->role);
    if (part->name != NULL)
        set(div, "aria-label",
            say(mend, has_class(div, "nav") && mend->in_printer ? "Printer"
                                                                : part->name));
}

/* Adds the page's own heading where PAPPL has only those of its parts. */
static void add_heading(const struct mend *mend, xmlNode *content)
{
    xmlNode *heading =
        xmlNewTextChild(content, NULL, BAD_CAST "h1", mend->name);

    set(heading, "class", "page");
    if (content->children != heading)
        xmlAddPrevSibling(content->children, heading);
}

static void mend_div(struct mend *mend, xmlNode *div)
{
    xmlNode *body = up(div, "body");

    mend->in_printer |= has_class(div, "header2");
    set_role(mend, div);
    mend->has_pager |= has_class(div, "pager");
    if (has_class(div, "log"))
        set(div, "tabindex", "0");
    if (has_class(div, "banner")) {
        say_words(mend, div->children);
        if (mend->facts->why[0] != '\0')
            add_error(mend, div);
    }
    if (has_class(div, "content") && mend->many_headings)
        add_heading(mend, div);
    if (has_class(div, "footer") && div->parent != body && body != NULL) {
        xmlUnlinkNode(div); /* from what some pages leave open */
        xmlAddChild(body, div);
    }
}

static void mend_label(struct mend *mend, xmlNode *label)
{
    say_words(mend, label->children);
}

static void mend_break(struct mend *mend, xmlNode *br)
{
    if (up(br, "p") != NULL)
        say_words(mend, br->next);
}

/* Says which printer the page is about in its heading's text. */
static void add_printer(const struct mend *mend, xmlNode *heading)
{
    const char *text = text_of(heading->children);
    const size_t size = strlen(text);

    if (size == 0 || size >= (size_t)xmlStrlen(mend->name) ||
        memcmp(mend->name, text, size) != 0)
        return;
    const bool spaced = text[size - 1] == ' '; /* a button follows */

    xmlNodeSetContent(heading->children, mend->name);
    if (spaced)
        xmlNodeAddContent(heading->children, BAD_CAST " ");
}

static void mend_heading(struct mend *mend, xmlNode *heading)
{
    const char level = (char)heading->name[1];

    if (level == '1')
        say_words(mend, heading->children);
    if (mend->many_headings)
        xmlNodeSetName(heading,
                       (const xmlChar[]){'h', (xmlChar)(level + 1), '\0'});
    else if (level == '1')
        add_printer(mend, heading);
}

/* ---- Links and pictures ---------------------------------------------------
 */

static void mend_link(struct mend *mend, xmlNode *link)
{
    const char *href = get(link, "href"), *text = text_of(link->children);
    const char *path =
        strncmp(href, "https://", 8) == 0 ? strchr(href + 8, '/') : NULL;

    if (mend->facts->plain_links && path != NULL)
        set(link, "href", path);
    if (strcmp(text, "\u00ab") == 0)
        set(link, "aria-label", say(mend, "Previous"));
    else if (strcmp(text, "\u00bb") == 0)
        set(link, "aria-label", say(mend, "Next"));
}

static void mend_picture(struct mend *mend, xmlNode *picture)
{
    const xmlNode *label = up(picture, "label");
    const char *name = strcmp(get(picture, "src"), "/navicon.png") == 0 ? "Home"
                       : label != NULL && has_class(label, "image")
                           ? get(picture, "alt")
                           : "";

    if (has(picture, "onclick")) { /* It is to be pressed. */
        xmlNodeSetName(picture, BAD_CAST "button");
        set(picture, "type", "button");
        set(picture, "aria-label", say(mend, "Show or hide the password"));
        return;
    }
    if (name[0] != '\0') {
        xmlNode *text = xmlNewDocText(picture->doc, BAD_CAST(label ? " " : ""));

        xmlNodeAddContent(text, BAD_CAST say(mend, name));
        xmlAddNextSibling(picture, text);
    }
    set(picture, "alt", "");
}

/* ---- Tables ---------------------------------------------------------------
 */

static bool in_list(xmlNode *node)
{
    const xmlNode *table = up(node, "table");

    return table != NULL && has_class(table, "list");
}

static void mend_table(struct mend *mend, xmlNode *table)
{
    mend->columns = NULL;
    if (get(table, "summary")[0] != '\0')
        set(table, "aria-label", (const char *)mend->title);
    xmlUnsetProp(table, BAD_CAST "summary");
}

static void mend_row(struct mend *mend, xmlNode *row)
{
    mend->rows++;
    if (up(row, "thead") != NULL)
        mend->columns = row;
}

static void mend_head_cell(struct mend *mend, xmlNode *cell)
{
    char id[32];

    if (cell->children == NULL) {
        xmlNodeSetName(cell, BAD_CAST "td");
    } else if (up(cell, "thead") != NULL) {
        set(cell, "scope", "col");
    } else {
        snprintf(id, sizeof id, "row%u", mend->rows);
        set(cell, "scope", "row");
        set(cell, "id", id);
    }
}

/* Returns the id of what names the row, "" if a label does or nothing. */
static const char *name_of_row(xmlNode *node)
{
    xmlNode *row = up(node, "tr");
    xmlNode *head = row != NULL ? xmlFirstElementChild(row) : NULL;

    return head != NULL && is(head, "th") &&
                   count(head, "label", NULL, NULL) == 0
               ? get(head, "id")
               : "";
}

/* Returns the name of a cell's column. */
static const char *name_of_column(const struct mend *mend, xmlNode *cell)
{
    xmlNode *head =
        mend->columns != NULL ? xmlFirstElementChild(mend->columns) : NULL;

    while (head != NULL && (cell = xmlPreviousElementSibling(cell)) != NULL)
        head = xmlNextElementSibling(head);
    return head != NULL ? text_of(head->children) : "";
}

static void mend_cell(struct mend *mend, xmlNode *cell)
{
    const char *column = name_of_column(mend, cell), *row = name_of_row(cell);

    if (in_list(cell) && up(cell, "thead") == NULL && column[0] != '\0' &&
        cell->children != NULL && !has(cell, "colspan"))
        set(cell, "data-label", column);
    if (row[0] != '\0' && count(cell, "input", "type", "radio") > 0) {
        xmlNode *group = xmlNewDocNode(cell->doc, NULL, BAD_CAST "div", NULL);

        set(group, "role", "radiogroup");
        set(group, "aria-labelledby", row);
        for (xmlNode *node; (node = cell->children) != NULL;) {
            xmlUnlinkNode(node);
            xmlAddChild(group, node);
        }
        xmlAddChild(cell, group);
    }
}

/* ---- Fields ---------------------------------------------------------------
 */

/* Several forms of a page have one id; the scripts find it by name, too. */
static void mend_form(struct mend *mend, xmlNode *form)
{
    (void)mend;
    xmlUnsetProp(form, BAD_CAST "id");
    set(form, "name", "form");
}

/* Says which job a button of a list is for. */
static void mend_button(const struct mend *mend, xmlNode *button)
{
    xmlNode *row = up(button, "tr");
    char name[256];

    if (!has(button, "value"))
        return;
    set(button, "value", say(mend, get(button, "value")));
    if (!in_list(button) || row == NULL)
        return;
    snprintf(name, sizeof name, "%s %s", get(button, "value"),
             text_of(xmlFirstElementChild(row)->children));
    set(button, "aria-label", name);
}

/* Gives a field the id that the label before it asks for, or the name that its
 * row has. */
static void mend_field(struct mend *mend, xmlNode *field)
{
    const char *name = get(field, "name"), *type = get(field, "type");
    const char *row = name_of_row(field);
    xmlNode *cell = up(field, "td");

    if (strcmp(type, "submit") == 0) {
        mend_button(mend, field);
        return;
    }
    if (strcmp(type, "hidden") == 0 || strcmp(type, "radio") == 0 ||
        name[0] == '\0' || up(field, "label") != NULL ||
        has(field, "aria-label") || has(field, "aria-labelledby"))
        return;
    if (!has(field, "id"))
        set(field, "id", name);
    if (strcmp(name, mend->facts->field) == 0 && cell != NULL) {
        set(field, "aria-invalid", "true");
        set(field, "aria-describedby", "error");
        set(add_error(mend, cell), "id", "error");
    }
    if (row[0] != '\0')
        set(field, "aria-labelledby", row);
}

/* ---- The page -------------------------------------------------------------
 */

static void mend_element(struct mend *mend, xmlNode *element)
{
    static const struct {
        const char *name;
        void (*mend)(struct mend *mend, xmlNode *element);
    } rules[] = {
        {"link", mend_sheet},     {"div", mend_div},
        {"h1", mend_heading},     {"h2", mend_heading},
        {"h3", mend_heading},     {"h4", mend_heading},
        {"h5", mend_heading},     {"a", mend_link},
        {"img", mend_picture},    {"table", mend_table},
        {"tr", mend_row},         {"th", mend_head_cell},
        {"td", mend_cell},        {"form", mend_form},
        {"input", mend_field},    {"select", mend_field},
        {"textarea", mend_field}, {"label", mend_label},
        {"br", mend_break},
    };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (is(element, rules[i].name)) {
            rules[i].mend(mend, element);
            return;
        }
}

static void mend_all(struct mend *mend, xmlNode *root)
{
    xmlNode *next;

    mend->many_headings = count(root, "h1", NULL, NULL) != 1;
    for (xmlNode *node = root; node != NULL; node = next) {
        next = following(node, root);
        if (is(node, "form") &&
            count(node, "input", "value", "identify-printer") > 0) {
            /* Nothing that we know of can be told to show itself. */
            next = behind(node, root);
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        } else {
            mend_element(mend, node);
        }
    }
}

/* Sets the page's title, and its own name: the title without the server's. */
static void set_title(struct mend *mend, xmlNode *root)
{
    const int server = (int)strlen(mend->facts->server) + 3 /* " - " */;
    xmlNode *node = root;

    while (node != NULL && !is(node, "title"))
        node = following(node, root);
    mend->title = xmlStrdup(BAD_CAST text_of(node ? node->children : NULL));

    const int size = xmlStrlen(mend->title);

    mend->name = xmlStrndup(mend->title, size > server ? size - server : size);
}

char *page_mend(const char *page, size_t size, const struct page_facts *facts,
                size_t *bytes)
{
    struct mend mend = {.facts = facts};
    xmlBuffer *buffer = xmlBufferCreate();
    xmlDoc *html =
        size <= MOST_BYTES
            ? htmlReadMemory(page, (int)size, NULL, "UTF-8",
                             HTML_PARSE_RECOVER | HTML_PARSE_NOERROR |
                                 HTML_PARSE_NOWARNING | HTML_PARSE_NONET)
            : NULL;
    xmlNode *root = html != NULL ? xmlDocGetRootElement(html) : NULL;
    xmlSaveCtxt *save = root != NULL
                            ? xmlSaveToBuffer(buffer, "UTF-8", XML_SAVE_AS_HTML)
                            : NULL;

    if (save != NULL) {
        set(root, "lang", facts->language);
        set_title(&mend, root);
        mend_all(&mend, root);
        xmlSaveDoc(save, html);
        xmlSaveClose(save);
    }
    *bytes = (size_t)xmlBufferLength(buffer);
    char *mended = *bytes > 0 ? (char *)xmlBufferDetach(buffer) : NULL;

    xmlFree(mend.title);
    xmlFree(mend.name);
    xmlFreeDoc(html);
    xmlBufferFree(buffer);
    return mended;
}
