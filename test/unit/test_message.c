/*
 * test_message.c - what of a text goes into the log: UTF-8 as it is, of
 * everything else question marks; and which lines do.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <unistd.h>

#include "page/message.h"
#include "page/owner.h"
#include "test/cases.h"

static char heard[2000]; /* lines, each with its prefix */

static void hear(struct owner *owner, const char *prefix, const char *text)
{
    size_t length = strlen(heard);

    (void)owner;
    snprintf(heard + length, sizeof heard - length, "%s|%s\n", prefix, text);
}

static struct owner owner = {.hear = hear, .error_said = ATOMIC_FLAG_INIT};

static void work_for_owner(void)
{
    heard[0] = '\0';
    owner_set(&owner);
    message_begin();
}

static void assert_said(const char *text, const char *wanted)
{
    char line[1100];

    work_for_owner();
    message("DEBUG", "%s", text);
    snprintf(line, sizeof line, "DEBUG|%s\n", wanted);
    assert_string_equal(heard, line);
}

/* The first and the last character of each row of Unicode 15's table 3-7, and
 * the bytes just outside of it; the two that end a line or a paragraph, and
 * what is beside them. */
TEST(characters_are_kept_and_other_bytes_are_not)
{
    static const char *const characters[] = {" ",
                                             "~",
                                             "\xc2\xa0",
                                             "\xdf\xbf",
                                             "\xe0\xa0\x80",
                                             "\xe0\xbf\xbf",
                                             "\xe1\x80\x80",
                                             "\xe2\x80\xa7",
                                             "\xe2\x80\xaa",
                                             "\xe2\x81\xa8",
                                             "\xec\xbf\xbf",
                                             "\xed\x80\x80",
                                             "\xed\x9f\xbf",
                                             "\xee\x80\x80",
                                             "\xef\xbf\xbf",
                                             "\xf0\x90\x80\x80",
                                             "\xf0\xbf\xbf\xbf",
                                             "\xf1\x80\x80\x80",
                                             "\xf3\xbf\xbf\xbf",
                                             "\xf4\x80\x80\x80",
                                             "\xf4\x8f\xbf\xbf"};
    static const char *const others[] = {"\x01",
                                         "\n",
                                         "\x1b",
                                         "\x1f",
                                         "\x7f",
                                         "\x80",
                                         "\xbf",
                                         "\xc0\x80",
                                         "\xc1\xbf",
                                         "\xc2\x80",
                                         "\xc2\x9f",
                                         "\xdf\x7f",
                                         "\xdf\xc0",
                                         "\xe0\x9f\xbf",
                                         "\xe0\xa0",
                                         "\xe0\xa0\xc0",
                                         "\xe1\x7f\x80",
                                         "\xe2\x80\xa8",
                                         "\xe2\x80\xa9",
                                         "\xed\xa0\x80",
                                         "\xed\xbf\xbf",
                                         "\xf0\x8f\xbf\xbf",
                                         "\xf0\x90\x80",
                                         "\xf1\x80\x80\xc0",
                                         "\xf4\x90\x80\x80",
                                         "\xf5\x80\x80\x80",
                                         "\xff"};
    char text[16], wanted[16];

    for (size_t i = 0; i < sizeof characters / sizeof characters[0]; i++) {
        case_is("character %zu", i);
        snprintf(text, sizeof text, "a%sb", characters[i]);
        assert_said(text, text);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        case_is("other %zu", i);
        snprintf(text, sizeof text, "a%sb", others[i]);
        snprintf(wanted, sizeof wanted, "a%.*sb", (int)strlen(others[i]),
                 "????");
        assert_said(text, wanted);
    }
}

TEST(a_long_text_is_cut_and_no_character_halved)
{
    char text[1200], wanted[1000];

    memset(text, 'x', sizeof text);
    memset(wanted, 'x', sizeof wanted);
    text[1199] = wanted[999] = '\0';
    assert_said(text, wanted);
    snprintf(text + 997, sizeof text - 997, "\xe2\x82\xac and more");
    wanted[997] = wanted[998] = '?';
    assert_said(text, wanted);
}

TEST(of_errors_the_first_is_heard)
{
    work_for_owner();
    message("ERROR", "one");
    message("ERROR", "two");
    message("WARNING", "three");
    message_hand_on("ERROR: four");
    message_hand_on("ERRORS: five");
    assert_string_equal(heard, "ERROR|one\nWARNING|three\nERRORS|five\n");
    heard[0] = '\0';
    message_begin();
    message_hand_on("ERROR: six");
    message("ERROR", "seven");
    assert_string_equal(heard, "ERROR|six\n");
}

TEST(lines_of_others_keep_their_prefix_if_it_is_one)
{
    work_for_owner();
    message_hand_on("PAGE: 1 2");
    message_hand_on("STATE: : x");
    message_hand_on("fifteen letters: x");
    message_hand_on("sixteen letters!: x");
    message_hand_on("no prefix");
    assert_string_equal(heard, "PAGE|1 2\nSTATE|: x\nfifteen letters|x\n"
                               "DEBUG|sixteen letters!: x\n"
                               "DEBUG|no prefix\n");
}

TEST(nobodys_lines_go_to_standard_error)
{
    static struct owner deaf = {.error_said = ATOMIC_FLAG_INIT};
    char text[200] = "";
    int pipe_of[2], saved = dup(STDERR_FILENO);

    assert_int_equal(pipe(pipe_of), 0);
    dup2(pipe_of[1], STDERR_FILENO);
    owner_set(NULL);
    message_begin();
    message("ERROR", "a\nb");
    message("ERROR", "never");
    message_hand_on("ERROR: nor this");
    message_hand_on("as it is\x7f");
    owner_set(&deaf);
    message("ERROR", "of another job");
    message_hand_on("ERROR: that says no more");
    message_hand_on("DEBUG: but this");
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(pipe_of[1]);
    assert_true(read(pipe_of[0], text, sizeof text - 1) > 0);
    close(pipe_of[0]);
    assert_string_equal(text, "ERROR: a?b\nas it is\x7f\n"
                              "ERROR: of another job\nDEBUG: but this\n");
}
