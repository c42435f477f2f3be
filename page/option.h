/*
 * option.h - the options of a job and of a queue's PPD, as options.txt
 * describes them, and their values, checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_OPTION_H
#define PAGE_OPTION_H

#include <stdbool.h>
#include <stdint.h>

#include "page/choice.h"

#define OPTION_MAX_CHOICES 5
#define OPTION_MAX_OFFERS 9
#define OPTION_MAX_NAME 64 /* characters, of a table or curve */
#define OPTION_INKS 4
#define OPTION_NO_CHOICE (-1)

enum option_id {
    OPTION_PACKER,
    OPTION_INK_PACKER,
    OPTION_COLOR_ORDER,
    OPTION_BACK_SIDE,
    OPTION_MODE,
    OPTION_LINES,
    OPTION_DROPS,
    OPTION_MIXING,
    OPTION_INKS_USED,
    OPTION_PAPER,
    OPTION_TONING,
    OPTION_CONTENT,
    OPTION_OPTIMIZE,
    OPTION_COLOR_MODE,
    OPTION_ENGINE,
    OPTION_SEGMENTS,
    OPTION_THREADS,
    OPTION_GPU_MEMORY,
    OPTION_TABLE,
    OPTION_BLACK,
    OPTION_GRAYS,
    OPTION_GAMMA,
    OPTION_CURVE,
    OPTION_PROFILE,
    OPTION_DENSITY,
    OPTION_INK_LIMIT,
    OPTION_SHARPNESS,
    OPTION_DROP_SIZES,
    OPTION_BITS,
    OPTIONS /* how many there are */
};

/* Choices, in the order of option_choice(). Those of OPTION_MODE are the
 * methods, ht_method_t; those of OPTION_BACK_SIDE are enum back_side. */
enum {
    CONTENT_AUTO,
    CONTENT_TEXT,
    CONTENT_TEXT_AND_GRAPHIC,
    CONTENT_GRAPHIC,
    CONTENT_PHOTO
};
enum { LINES_AUTO }; /* the others are numbers */
enum { DROPS_ONE, DROPS_THREE };
enum { MIXING_AUTO }; /* the others are numbers */
enum { INKS_CMYK, INKS_ALL };
enum { TONING_NONE, TONING_WARM, TONING_COOL, TONING_SEPIA };
enum {
    OPTIMIZE_TEXT,
    OPTIMIZE_TEXT_AND_GRAPHIC,
    OPTIMIZE_GRAPHIC,
    OPTIMIZE_PHOTO
};
enum { COLOR_MODE_BI_LEVEL, COLOR_MODE_MONOCHROME };
enum { ENGINE_AUTO, ENGINE_CPU, ENGINE_GPU, ENGINE_OPENCL };
enum { SEGMENTS_ON, SEGMENTS_OFF };
enum { TABLE_DEFAULT };
enum { BLACK_PURE, BLACK_NONE };
enum { GRAYS_DOCUMENT, GRAYS_BLACK };
enum { PAPER_NONE };
enum { CURVE_DEFAULT, CURVE_NONE };
enum { PROFILE_DEFAULT, PROFILE_GENERIC, PROFILE_NONE };
enum { COLOR_ORDER_AUTO, COLOR_ORDER_CHUNKED, COLOR_ORDER_BANDED };
enum { PACKER_NONE };
enum { DROP_SIZES_NONE, DROP_SIZES_PPD };

/* Values that an option takes, beside its choices. */
enum option_kind {
    OPTION_KEYWORD, /* nothing else */
    OPTION_NUMBER,  /* low..high; a custom option's number, too */
    OPTION_WHOLE,   /* the same, whole, of at most 9 digits */
    OPTION_NAME,    /* a part of a file's name: up to OPTION_MAX_NAME letters,
                       digits, - and _ */
    OPTION_CMYK     /* "C,M,Y,K", each 0..255, one above 127 */
};

/* Places that may set an option: flags. */
enum option_source {
    OPTION_OF_JOB = 1,
    OPTION_OF_PPD = 2, /* the marked choice; without such an option, an
                          attribute of the name */
    OPTION_OF_RIP = 4  /* the RIP reads it; the filter does not */
};

/* The languages of the words in our PPDs. */
enum option_language {
    OPTION_EN,
    OPTION_DE,
    OPTION_ES,
    OPTION_FR,
    OPTION_LANGUAGES
};

struct option {
    const char *name;
    enum option_kind kind;
    unsigned from;        /* enum option_source */
    bool ignores;         /* an unknown value is ignored, else refused */
    const char *fallback; /* the value if nobody sets it; NULL = none */
    const char *preset;   /* the default of our PPDs; NULL = none has the
                             option */
    const char *labels;   /* the same of label printers; NULL = preset */
    /* On CUPS's web page; NULL = it is not there. */
    const char *label[OPTION_LANGUAGES];
    double low, high;                        /* of numbers */
    const char *choices[OPTION_MAX_CHOICES]; /* for option_choice() */
    struct option_offer {
        const char *value, *label[OPTION_LANGUAGES];
    } offers[OPTION_MAX_OFFERS]; /* for option_offer() */
};

/* The description of an option; static. */
const struct option *option_info(enum option_id id);

/* Choice `i` of an option; static. NULL behind the last. */
const char *option_choice(enum option_id id, unsigned i);

/* Returns the value or choice that our PPDs offer in place `i`; static. NULL
 * behind the last. */
const struct option_offer *option_offer(enum option_id id, unsigned i);

/* Which choice a text is; OPTION_NO_CHOICE = none. */
int option_find(enum option_id id, const char *text);

/* Whether a job may set the option of this name to this value. */
bool option_job_takes(const char *name, const char *text);

struct option_value {
    int choice;                     /* OPTION_NO_CHOICE = none of them */
    double number;                  /* of OPTION_NUMBER and OPTION_WHOLE, and of
                                       choices that are numbers */
    uint8_t cmyk[OPTION_INKS];      /* of OPTION_CMYK, if it is no choice */
    char text[OPTION_MAX_NAME + 1]; /* of kinds that are no numbers, as it is
                                       written or the fallback; "" = neither */
    bool of_job;                    /* the job sets it */
};

/*
 * Reads an option that a job or a PPD may set: the job's value, else the
 * paper's, else the PPD's, else the fallback. False after an ERROR line when it
 * is not what its description says.
 */
bool option_read(const struct choices *from, enum option_id id,
                 struct option_value *value);

/*
 * Reads all of them, in the order of enum option_id, into values[OPTIONS], once
 * paper_file_choose() has found the paper. False after an ERROR line when one
 * is not what its description says.
 */
bool options_read(const struct choices *from,
                  struct option_value values[OPTIONS]);

#endif
