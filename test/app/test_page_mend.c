/*
 * test_page_mend.c - what is mended of a page's HTML, that all else passes, and
 * that no page ends it, whole or cut off.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "printer-app/web/page_mend.h"
#include "test/cases.h"

static const char *say(const char *english, void *data)
{
    (void)data;
    return strcmp(english, "Home") == 0    ? "Start"
           : strcmp(english, "Login") == 0 ? "Anmelden"
                                           : english;
}

static const struct page_facts facts = {.language = "de",
                                        .server = "Server",
                                        .plain_links = true,
                                        .field = "",
                                        .why = "",
                                        .say = say};

/* Fails unless `page` becomes `expected`. */
static void becomes(const char *page, const char *expected)
{
    struct html html = {.bytes = NULL};

    page_mend(&html, (struct html_span){page, strlen(page)}, &facts);
    html_span(&html, (struct html_span){"", 1});
    assert_false(html.failed);
    assert_string_equal(html.bytes, expected);
    html_free(&html);
}

TEST(the_page_says_its_language)
{
    becomes("<html>", "<html lang=\"de\">");
    becomes("<html lang=\"en\">", "<html lang=\"de\">");
}

TEST(a_new_version_has_a_new_style_sheet)
{
    becomes("<link rel=\"stylesheet\" href=\"/style.css\"><link href=\"/x\">",
            "<link rel=\"stylesheet\" href=\"/style.css?" PACKAGE_VERSION
            "\"><link href=\"/x\">");
}

TEST(what_is_right_passes_as_it_is)
{
    static const char *const pages[] = {
        "",
        "a < b && c > d",
        "<p class=\"x\">&lt;script&gt;</p><!-- <img> --><br>",
        "<script>if (a <b) x = '<img><div>';</script><p>",
        "<label>Name <input name=\"a\"></label>",
        "<a href=\"/inkjet\">inkjet</a>",
        "<",
        "</",
        "<img src=\"",
    };

    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++)
        becomes(pages[i], pages[i]);
}

TEST(pictures_have_text_or_none)
{
    becomes("<img src=\"x.png\">", "<img src=\"x.png\" alt=\"\">");
    becomes("<a href=\"/\"><img src=\"/navicon.png\"></a>",
            "<a href=\"/\"><img src=\"/navicon.png\" alt=\"\">Start</a>");
    becomes("<label class=\"image\"><input type=\"radio\" name=\"a\"> <img "
            "src=\"a>b\" alt=\"Portrait\"></label><img>",
            "<label class=\"image\"><input type=\"radio\" name=\"a\"> <img "
            "src=\"a>b\" alt=\"\"> Portrait</label><img alt=\"\">");
}

/* Names are not: somebody may call a printer, a job or a place so. */
TEST(words_of_pappl_are_said_in_the_language)
{
    becomes("<h1>Login</h1><label>Login<input name=\"a\"></label>"
            "<div class=\"banner\">Login</div><p>Login<br>Login</p>",
            "<h1>Anmelden</h1><label>Anmelden<input name=\"a\"></label>"
            "<div class=\"banner\" role=\"status\">Anmelden</div>"
            "<p>Login<br>Anmelden</p>");
    becomes("<td>Login<br>Login</td><a>Login</a>",
            "<td>Login<br>Login</td><a>Login</a>");
    becomes("<input type=\"submit\" value=\"Login\">",
            "<input type=\"submit\" value=\"Anmelden\">");
}

TEST(printers_are_not_asked_to_show_themselves)
{
    becomes("a<form><input value=\"identify-printer\"></form>b<form></form>",
            "ab<form name=\"form\"></form>");
}

/* Also those that browsers take for empty ones. */
TEST(comments_stay)
{
    becomes("<!-- <img> - --><img>", "<!-- <img> - --><img alt=\"\">");
    becomes("<!----><img>", "<!----><img alt=\"\">");
    becomes("<!---><img>", "<!---><img alt=\"\">");
    becomes("<!--><img>", "<!--><img alt=\"\">");
    becomes("<!-- <img> --", "<!-- <img> --");
    becomes("<!- <img>", "<!- <img alt=\"\">");
}

TEST(a_picture_that_is_pressed_is_a_button)
{
    becomes("<img class=\"password-show\" onClick=\"show('a');\">",
            "<button type=\"button\" aria-label=\"Show or hide the password\" "
            "class=\"password-show\" onClick=\"show('a');\"></button>");
}

TEST(fields_have_the_name_of_their_row)
{
    becomes("<table class=\"form\"><tr><th>Name:</th><td><input name=\"a\">"
            "</td></tr><tr><th><label for=\"b\">B</label></th><td><select "
            "name=\"b\"></td></tr></table><input name=\"c\">",
            "<table class=\"form\"><tr><th scope=\"row\" id=\"row1\">Name:</th>"
            "<td><input name=\"a\" id=\"a\" aria-labelledby=\"row1\"></td></tr>"
            "<tr><th scope=\"row\" id=\"row2\"><label for=\"b\">B</label></th>"
            "<td><select name=\"b\" id=\"b\"></td></tr></table>"
            "<input name=\"c\" id=\"c\">");
}

TEST(what_is_wrong_is_said_beside_the_field)
{
    static const char page[] =
        "<div class=\"banner\">Bad</div><tr><th>A:</th><td><input name=\"a\">"
        "</td></tr><tr><th>B:</th><td><input name=\"b\"></td></tr>";
    struct page_facts wrong = facts;
    struct html html = {.bytes = NULL};

    wrong.field = "b";
    wrong.why = "not <1> & \"2\"";
    page_mend(&html, (struct html_span){page, sizeof page}, &wrong);
    assert_false(html.failed);
    assert_string_equal(
        html.bytes,
        "<div class=\"banner\" role=\"alert\">Bad<p class=\"error\" lang=\"en\""
        ">not &lt;1> &amp; &quot;2&quot;</p></div><tr><th scope=\"row\" "
        "id=\"row1\">A:</th><td><input name=\"a\" id=\"a\" "
        "aria-labelledby=\"row1\"></td></tr><tr><th scope=\"row\" id=\"row2\">"
        "B:</th><td><input name=\"b\" id=\"b\" aria-invalid=\"true\" "
        "aria-describedby=\"error\" aria-labelledby=\"row2\"><p class=\"error\""
        " lang=\"en\" id=\"error\">not &lt;1> &amp; "
        "&quot;2&quot;</p></td></tr>");
    html_free(&html);
}

TEST(choices_are_a_group)
{
    becomes("<tr><th>Sides:</th><td><label><input type=\"radio\" name=\"a\">"
            "One</label></td></tr>",
            "<tr><th scope=\"row\" id=\"row1\">Sides:</th><td>"
            "<div role=\"radiogroup\" aria-labelledby=\"row1\"><label><input "
            "type=\"radio\" name=\"a\">One</label></div></td></tr>");
}

TEST(cells_of_a_list_say_their_columns)
{
    becomes("<table class=\"list\" summary=\"Jobs\"><thead><tr><th>Job</th>"
            "<th></th></tr></thead><tr><td>7</td><td><input type=\"submit\" "
            "value=\"Cancel\"></td></tr><tr><td></td><td colspan=\"5\">x",
            "<table class=\"list\" aria-label=\"\"><thead><tr><th scope=\"col\""
            ">Job</th><td></td></tr></thead><tr><td data-label=\"Job\">7</td>"
            "<td><input type=\"submit\" value=\"Cancel\" aria-label=\"Cancel "
            "7\"></td></tr><tr><td></td><td colspan=\"5\">x");
}

TEST(forms_share_a_name_but_no_id)
{
    becomes("<form action=\"/\" id=\"form\" method=\"POST\">",
            "<form action=\"/\" method=\"POST\" name=\"form\">");
}

TEST(a_page_has_one_main_heading)
{
    becomes("<title>Jobs - Server</title><div class=\"content\"><h1>Jobs</h1>"
            "<h2>x</h2></div>",
            "<title>Jobs - Server</title><div class=\"content\" role=\"main\">"
            "<h1>Jobs</h1><h2>x</h2></div>");
    becomes("<title>Jobs - inkjet - Server</title><h1>Jobs <a class=\"btn\">x"
            "</a></h1>",
            "<title>Jobs - inkjet - Server</title><h1>Jobs - inkjet <a "
            "class=\"btn\">x</a></h1>");
    becomes("<title>Media - inkjet - Server</title><h1>Media</h1><h1>",
            "<title>Media - inkjet - Server</title><h2>Media</h2><h2>");
    becomes("<title>Media - ink - Server</title><h1 class=\"title\">Media</h1>",
            "<title>Media - ink - Server</title><h1 class=\"title\">Media - ink"
            "</h1>");
    becomes("<title>a - b - Server</title><div class=\"content\">"
            "<h1 class=\"title\">1</h1><h1>2</h1><h2>3</h2></div>",
            "<title>a - b - Server</title><div class=\"content\" role=\"main\">"
            "<h1 class=\"page\">a - b</h1>\n<h2 class=\"title\">1</h2><h2>2"
            "</h2><h3>3</h3></div>");
    becomes("<title>Server</title><div class=\"content\">",
            "<title>Server</title><div class=\"content\" role=\"main\">"
            "<h1 class=\"page\">Server</h1>\n");
}

TEST(parts_end_where_they_began)
{
    becomes("<body></div><div><div></div><div class=\"footer\"></div></body>",
            "<body><div><div></div></div>\n<div class=\"footer\" "
            "role=\"contentinfo\"></div></body>");
}

TEST(links_stay_with_http)
{
    becomes(
        "<a class=\"btn\" href=\"https://localhost:8000/a/cancelall\">x</a>",
        "<a class=\"btn\" href=\"/a/cancelall\">x</a>");
    becomes("<a href=\"https://localhost\">x</a>",
            "<a href=\"https://localhost\">x</a>");
}

/* All of the shapes above. */
static const char whole[] =
    "<!DOCTYPE html>\n<html><head><title>a - Server</title></head><body>"
    "<div class=\"header\"><div class=\"col-12 nav\"><a href=\"/\"><img "
    "src=\"/navicon.png\"></a></div></div><div class=\"content\"><h1>1</h1>"
    "<h1>2</h1><table class=\"form\"><tr><th>N:</th><td><label class='image'>"
    "<input type=radio name=a><img alt=\"Auto\"></label></td></tr></table>"
    "<div class=\"pager\"><a href=\"https://a/b\">&laquo;</a></div><table "
    "class=\"list\" summary=\"x\"><thead><tr><th>J</th></tr></thead><tr><td>1"
    "</td></tr></table><img onclick=\"x\"><script>a<b</script></div></body>";

/* What lies behind the cut is no part of the page: here the rest of it, there
 * what a sanitizer knows. */
TEST(pages_that_are_cut_off_pass)
{
    for (size_t size = 0; size < sizeof whole; size++) {
        struct html html = {.bytes = NULL}, within = html;
        char *page = malloc(size);

        case_is("%zu bytes", size);
        assert_true(page != NULL || size == 0);
        memcpy(page, whole, size);
        page_mend(&html, (struct html_span){page, size}, &facts);
        page_mend(&within, (struct html_span){whole, size}, &facts);
        assert_false(html.failed);
        assert_true(html.size >= size);
        assert_int_equal(html.size, within.size);
        assert_memory_equal(html.bytes, within.bytes, html.size);
        html_free(&html);
        html_free(&within);
        free(page);
    }
}

TEST(a_page_beyond_the_limit_fails)
{
    struct html html = {.bytes = NULL};
    char *page = calloc(1, HTML_BYTES + 1);

    assert_non_null(page);
    page_mend(&html, (struct html_span){page, HTML_BYTES + 1}, &facts);
    assert_true(html.failed);
    html_free(&html);
    free(page);
}
