/*
 * message.h - lines for the scheduler on standard error, or for the owner of
 * the work that says otherwise (owner.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAGE_MESSAGE_H
#define PAGE_MESSAGE_H

/* Begins a job of the calling thread's owner, with no ERROR line yet. */
void message_begin(void);

/*
 * Writes one line "PREFIX: text", prefix "DEBUG", "WARNING", "ERROR", "PAGE" or
 * "ATTR". Control characters in the text, which may come from a job, and what
 * is not UTF-8 become '?': a job cannot forge a line of its own, nor steer a
 * terminal. A text is cut after 999 bytes, before CUPS and readers of its log
 * do. Only the first of a job's ERROR lines is written. Any thread may call it.
 */
void message(const char *prefix, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes a line of another program of this job, without its LF, as it is, but
 * no ERROR line that is not the job's first. Any thread may call it. */
void message_hand_on(const char *line);

#endif
