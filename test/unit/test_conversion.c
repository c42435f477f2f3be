/*
 * test_conversion.c - no PPD that libcups cannot open leaves ppd/convert/, from
 * whatever way it was made: the converter writes wrong ones here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include "ppd/convert/convert.h"
#include "ppd/convert/source.h"
#include "ppd/convert/text.h"
#include "test/cases.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* In the place of the converter's last lines; NULL = none. */
static const char *wrong;

char *__real_ppd_text_join(struct ppd_text *text, size_t *size);
char *__wrap_ppd_text_join(struct ppd_text *text, size_t *size);
char *__wrap_ppd_text_join(struct ppd_text *text, size_t *size)
{
    char *bytes = __real_ppd_text_join(text, size);

    if (bytes == NULL || wrong == NULL)
        return bytes;
    const size_t length = strlen(wrong);
    assert_true(*size > length);
    memcpy(bytes + *size - length, wrong, length);
    return bytes;
}

/* A PPD of a filter of raster, and one of a command line. */
static const char *const files[] = {PPDS "/no-bits.ppd", PPDS "/pipe.ppd"};

static char *convert(const char *file, size_t *size, char why[CONVERT_WHY])
{
    size_t read;
    char *bytes = source_read(file, &read, why);

    assert_non_null(bytes);
    why[0] = '\0';
    char *made = ppd_convert(bytes, read, DOTS_BY_KIND, size, why);
    free(bytes);
    return made;
}

TEST(what_is_made_can_be_opened)
{
    char why[CONVERT_WHY];
    size_t size;

    wrong = NULL;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char *made = convert(files[i], &size, why);

        case_is("%s", files[i]);
        assert_non_null(made);
        ppd_file_t *ppd = source_open(made, size, why);
        assert_non_null(ppd);
        ppdClose(ppd);
        free(made);
    }
}

TEST(what_cannot_be_opened_is_refused)
{
    static const char *const ends[] = {"\n*OrderDependency: A\n",
                                       "\n*UIConstraints: *A\n",
                                       "\n*JCLOpenUI *A/B: None\n"};
    char why[CONVERT_WHY];
    size_t size;

    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (size_t j = 0; j < sizeof ends / sizeof ends[0]; j++) {
            wrong = ends[j];
            char *made = convert(files[i], &size, why);

            case_is("%s, end %zu", files[i], j);
            assert_null(made);
            assert_int_equal(strncmp(why, "line ", 5), 0);
        }
}
