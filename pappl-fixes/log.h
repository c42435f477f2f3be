/*
 * log.h - the log's file.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_LOG_H
#define PAPPL_FIXES_LOG_H

#include <stdbool.h>

/* Returns the log of that name, for papplSystemCreate(), which comes next: a
 * file's path, "-" for standard error, or "syslog". NULL = PAPPL's own file. */
const char *log_path(const char *name);

/* Whether the log of a system that was created is not standard error. */
bool log_is_apart(void);

#endif
