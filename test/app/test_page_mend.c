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

/* Returns the page, which begins so, as it is sent; to be freed. */
static char *mended(const char *page, const struct page_facts *with)
{
    size_t size;
    char *bytes = page_mend(page, strlen(page), with, &size);

    assert_non_null(bytes);
    assert_int_equal(strlen(bytes), size);
    return bytes;
}

static void becomes_with(const struct page_facts *with, const char *title,
                         const char *content, const char *expected)
{
    static const char end[] = "</body></html>\n";
    char page[2048];

    snprintf(page, sizeof page,
             "<!DOCTYPE html>\n<html><head><title>%s</title></head><body>%s%s",
             title, content, end);
    char *all = mended(page, with), *body = strstr(all, "<body>");

    assert_non_null(body);
    body += strlen("<body>");
    assert_true(strlen(body) >= strlen(end));
    body[strlen(body) - strlen(end)] = '\0';
    assert_string_equal(body, expected);
    free(all);
}

/* Fails unless the content of a page with that title becomes `expected`. */
static void titled(const char *title, const char *content, const char *expected)
{
    becomes_with(&facts, title, content, expected);
}

/* This one has a heading already. */
static void becomes(const char *content, const char *expected)
{
    titled("Server", content, expected);
}

/* Fails unless the page that begins so has the text. */
static void has(const char *page, const char *text)
{
    char *all = mended(page, &facts);

    assert_non_null(strstr(all, text));
    free(all);
}

TEST(the_page_says_its_language)
{
    has("<!DOCTYPE html>\n<html>", "<!DOCTYPE html>\n<html lang=\"de\">");
    has("<html lang=\"en\">", "<html lang=\"de\">");
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
        "a &lt; b &amp;&amp; c &gt; d",
        "<p class=\"x\">&lt;script&gt; \u00e4\u20ac</p><!-- <img> --><br>",
        "<script>if (a <b) x = '<img><div>' && y;</script><p></p>",
        "<label>Name <input name=\"a\" value=\"\" checked></label>",
        "<a href=\"/inkjet?a&amp;b=%C3%A4\">inkjet</a>",
        "<form name=\"form\"><p>a</p><div>b</div></form><pre>\n a\n</pre>",
        "<p>no UTF-8: \xff\xfe.</p><p>b</p>",
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
            "src=\"a&gt;b\" alt=\"\"> Portrait</label><img alt=\"\">");
}

/* Names are not: somebody may call a printer, a job or a place so. */
TEST(words_of_pappl_are_said_in_the_language)
{
    becomes("<h1>Login</h1><label>Login<input name=\"a\"></label>"
            "<div class=\"banner\">Login</div><p>Login<br>Login</p>",
            "<h1>Anmelden</h1><label>Anmelden<input name=\"a\"></label>"
            "<div class=\"banner\" role=\"status\">Anmelden</div>"
            "<p>Login<br>Anmelden</p>");
    becomes("<b>Login<br>Login</b><a>Login</a>",
            "<b>Login<br>Login</b><a>Login</a>");
    becomes("<input type=\"submit\" value=\"Login\">",
            "<input type=\"submit\" value=\"Anmelden\">");
}

TEST(printers_are_not_asked_to_show_themselves)
{
    becomes("a<form><input value=\"identify-printer\"></form>b<form></form>",
            "ab<form name=\"form\"></form>");
}

TEST(what_is_in_comments_stays)
{
    becomes("<!-- <img> - --><img>", "<!-- <img> - --><img alt=\"\">");
}

TEST(a_picture_that_is_pressed_is_a_button)
{
    becomes("<img class=\"password-show\" onClick=\"show('a');\">",
            "<button class=\"password-show\" onclick=\"show('a');\" "
            "type=\"button\" aria-label=\"Show or hide the password\">"
            "</button>");
}

TEST(fields_have_the_name_of_their_row)
{
    becomes("<table class=\"form\"><tr><th>Name:</th><td><input name=\"a\">"
            "</td></tr><tr><th><label for=\"b\">B</label></th><td><select "
            "name=\"b\"></select></td></tr></table><input name=\"c\">",
            "<table class=\"form\"><tr><th scope=\"row\" id=\"row1\">Name:</th>"
            "<td><input name=\"a\" id=\"a\" aria-labelledby=\"row1\"></td></tr>"
            "<tr><th scope=\"row\" id=\"row2\"><label for=\"b\">B</label></th>"
            "<td><select name=\"b\" id=\"b\"></select></td></tr></table>"
            "<input name=\"c\" id=\"c\">");
}

TEST(what_is_wrong_is_said_beside_the_field)
{
    struct page_facts wrong = facts;

    wrong.field = "b";
    wrong.why = "not <1> & \"2\"";
    becomes_with(
        &wrong, "Server",
        "<div class=\"banner\">Bad</div><table><tr><th>A:</th><td><input "
        "name=\"a\"></td></tr><tr><th>B:</th><td><input name=\"b\"></td></tr>"
        "</table>",
        "<div class=\"banner\" role=\"alert\">Bad<p class=\"error\" lang=\"en\""
        ">not &lt;1&gt; &amp; \"2\"</p></div><table><tr><th scope=\"row\" "
        "id=\"row1\">A:</th><td><input name=\"a\" id=\"a\" "
        "aria-labelledby=\"row1\"></td></tr><tr><th scope=\"row\" id=\"row2\">"
        "B:</th><td><input name=\"b\" id=\"b\" aria-invalid=\"true\" "
        "aria-describedby=\"error\" aria-labelledby=\"row2\"><p class=\"error\""
        " lang=\"en\" id=\"error\">not &lt;1&gt; &amp; \"2\"</p></td></tr>"
        "</table>");
}

TEST(choices_are_a_group)
{
    becomes("<table><tr><th>Sides:</th><td><label><input type=\"radio\" "
            "name=\"a\">One</label> x</td></tr></table>",
            "<table><tr><th scope=\"row\" id=\"row1\">Sides:</th><td>"
            "<div role=\"radiogroup\" aria-labelledby=\"row1\"><label><input "
            "type=\"radio\" name=\"a\">One</label> x</div></td></tr></table>");
}

TEST(cells_of_a_list_say_their_columns)
{
    becomes("<table class=\"list\" summary=\"Jobs\"><thead><tr><th>Job</th>"
            "<th></th></tr></thead><tr><td>7</td><td><input type=\"submit\" "
            "value=\"Cancel\"></td></tr><tr><td></td><td colspan=\"5\">x</td>"
            "</tr></table>",
            "<table class=\"list\" aria-label=\"Server\"><thead><tr><th "
            "scope=\"col\">Job</th><td></td></tr></thead><tr><td data-label="
            "\"Job\">7</td><td><input type=\"submit\" value=\"Cancel\" "
            "aria-label=\"Cancel 7\"></td></tr><tr><td></td><td colspan=\"5\">"
            "x</td></tr></table>");
}

TEST(forms_share_a_name_but_no_id)
{
    becomes("<form action=\"/\" id=\"form\" method=\"POST\"></form>",
            "<form action=\"/\" method=\"POST\" name=\"form\"></form>");
}

TEST(a_page_has_one_main_heading)
{
    titled(
        "Jobs - Server", "<div class=\"content\"><h1>Jobs</h1><h2>x</h2></div>",
        "<div class=\"content\" role=\"main\"><h1>Jobs</h1><h2>x</h2></div>");
    titled("Jobs - inkjet - Server", "<h1>Jobs <a class=\"btn\">x</a></h1>",
           "<h1>Jobs - inkjet <a class=\"btn\">x</a></h1>");
    titled("Media - inkjet - Server", "<h1>Media</h1><h1>x</h1>",
           "<h2>Media</h2><h2>x</h2>");
    titled("Media - ink - Server", "<h1 class=\"title\">Media</h1>",
           "<h1 class=\"title\">Media - ink</h1>");
    titled("a - &lt;b - Server",
           "<div class=\"content\"><h1 class=\"title\">1</h1><h1>2</h1><h2>3"
           "</h2></div>",
           "<div class=\"content\" role=\"main\"><h1 class=\"page\">a - &lt;b"
           "</h1><h2 class=\"title\">1</h2><h2>2</h2><h3>3</h3></div>");
    titled("Server", "<div class=\"content\"></div>",
           "<div class=\"content\" role=\"main\"><h1 class=\"page\">Server</h1>"
           "</div>");
}

TEST(parts_end_where_they_began)
{
    becomes("</div><div><div></div><div class=\"footer\"></div>",
            "<div><div></div></div><div class=\"footer\" role=\"contentinfo\">"
            "</div>");
}

TEST(links_stay_with_http)
{
    becomes(
        "<a class=\"btn\" href=\"https://localhost:8000/a/cancelall\">x</a>",
        "<a class=\"btn\" href=\"/a/cancelall\">x</a>");
    becomes("<a href=\"https://localhost\">x</a>",
            "<a href=\"https://localhost\">x</a>");
}

/* Ends the page at the cut: a sanitizer finds who reads behind it. */
TEST(pages_that_are_cut_off_pass)
{
    static const char whole[] =
        "<!DOCTYPE html>\n<html><head><title>a - Server</title></head><body>"
        "<div class=\"header\"><div class=\"col-12 nav\"><a href=\"/\"><img "
        "src=\"/navicon.png\"></a></div></div><div class=\"content\"><h1>1</h1>"
        "<h1>2</h1><table class=\"form\"><tr><th>N:</th><td><label "
        "class='image'>"
        "<input type=radio name=a><img alt=\"Auto\"></label></td></tr></table>"
        "<div class=\"pager\"><a href=\"https://a/b\">&laquo;</a></div><table "
        "class=\"list\" "
        "summary=\"x\"><thead><tr><th>J</th></tr></thead><tr><td>1"
        "</td></tr></table><img "
        "onclick=\"x\"><script>a<b</script></div></body>";

    for (size_t size = 0; size < sizeof whole; size++) {
        char *page = malloc(size);
        size_t bytes;

        case_is("%zu bytes", size);
        assert_true(page != NULL || size == 0);
        memcpy(page, whole, size);
        char *all = page_mend(page, size, &facts, &bytes);

        assert_true((all == NULL) == (bytes == 0));
        assert_true(size < sizeof "<!DOCTYPE html>\n<html>" || bytes > 0);
        free(all);
        free(page);
    }
}

TEST(a_page_beyond_the_limit_fails)
{
    const size_t size = (8 << 20) + 1;
    char *page = calloc(1, size);
    size_t bytes;

    assert_non_null(page);
    assert_null(page_mend(page, size, &facts, &bytes));
    free(page);
}
