/*
 * job.h - what the command line, the environment, the PPD and the job's
 * options ask for, checked.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_JOB_H
#define FILTER_JOB_H

#include <stdbool.h>

#include "filter/header.h"
#include "filter/ink.h"
#include "filter/option.h"
#include "filter/paper.h"
#include "halftone/halftone.h"

#define JOB_MAX_COPIES 9999 /* cupsd's MaxCopies; it adds them up in an int */

struct job {
    ht_method_t method;
    const char *method_name;              /* as in the PPD; static */
    ht_table_t *table;                    /* NULL = the method's own */
    char table_name[OPTION_MAX_NAME + 1]; /* "Default" for that */
    const char *engine; /* for ht_engine_open(); static, NULL = fastest */
    uint32_t segment;   /* columns; 0 = unbroken rows */
    uint32_t lines;     /* an inch, of Screen; 0 = as the resolution asks */
    struct ink_settings ink;
    uint32_t threads;    /* for halftoning; 0 = the CPUs we may use */
    uint32_t gpu_mib;    /* of the GPU's memory, at most; 0 = a quarter */
    bool banded;         /* the PPD wants banded dots whatever comes in */
    bool last;           /* no filter follows: the PAGE lines are ours */
    bool pwg;            /* PWG raster is to leave */
    enum back_side back; /* of a sheet, as the RIP turns it */
    struct paper paper;  /* whose printable area a packer expects */
    int input;           /* the raster, to read */
    unsigned copies;     /* of all of it that leave: 1 when it is no file */
    bool makes_copies;   /* as far as the PPD says */
    bool expects_tones;  /* the PPD has our options */
    /* The filter that is to be started behind us; "" for none. */
    char packer[OPTION_MAX_NAME + 1];
};

/*
 * Reads the filter's arguments and environment into `*job`. False after an
 * ERROR line when they are not acceptable. Whatever it returned, call
 * job_close().
 */
bool job_open(struct job *job, int argc, char *argv[]);

/* Whether the job asks for a GPU by CUDA, or leaves the choice to the library.
 */
bool job_asks_for_gpu(const struct job *job);
bool job_leaves_choice(const struct job *job);

void job_close(struct job *job);

#endif
