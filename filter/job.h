/*
 * job.h - checks the command line, the environment, the PPD and the job's
 * options.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef FILTER_JOB_H
#define FILTER_JOB_H

#include <stdbool.h>

#include "page/page.h"
#include "page/settings.h"

struct job {
    struct settings settings;
    struct delivery delivery;
    int input;         /* the raster, to read */
    unsigned copies;   /* of all of it that leave: 1 when it is no file */
    bool makes_copies; /* as far as the PPD says */
    /* The filter that is to be started behind us; "" for none. */
    char packer[OPTION_MAX_NAME + 1];
};

/*
 * Reads the filter's arguments and environment into `*job`. False after an
 * ERROR line when they are not acceptable. Whatever it returned, call
 * job_close().
 */
bool job_open(struct job *job, int argc, char *argv[]);

void job_close(struct job *job);

#endif
