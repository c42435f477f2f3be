/*
 * upload.h - a form with a file is a request for a job. All is of this thread's
 * client.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_UPLOAD_H
#define PAPPL_FIXES_UPLOAD_H

#include <pappl/pappl.h>

/* Looks at a request whose head has come, and begins an upload if it is one,
 * which upload_end() ends. */
void upload_look_at(pappl_client_t *client);
void upload_end(void);

/* Reads of a connection what the form is made of: httpRead2() without it. */
ssize_t patience_read(http_t *http, char *buffer, size_t length);

/* Whether the connection brings a form, and whether its file is next. */
bool upload_is_form(const http_t *http);
bool upload_has_file(const http_t *http);

/* Makes the request of the form's fields; an empty one if it is refused. */
void upload_request(ipp_t *request);

/* Copies bytes of the file, and takes them if `takes`; returns 0 at the end. */
ssize_t upload_read(char *buffer, size_t length, bool takes);

/* Answers by a page, if there is an upload; sets whether that went well. */
bool upload_answers(pappl_client_t *client, http_status_t status, bool *well);

#endif
