/*
 * pappl-fixes.h - mends what PAPPL 1.3 does wrong, in any PAPPL application:
 * README.md says what. Link libpapplfixes.a before libpappl, and call
 * papplfixes_start() first in main(); or preload papplfixes.so.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_PAPPL_FIXES_H
#define PAPPL_FIXES_PAPPL_FIXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <pappl/pappl.h>
#include <cups/pwg.h>

#define PAPPLFIXES_WHY 512 /* bytes of a reason, a line of text */

/*
 * The application's part. NULL or false is the default, which does for any
 * application. Threads of clients and of jobs call these at the same time.
 */
struct papplfixes {
    /* ---- Jobs ---- */

    /* Looks at a request of IPP to a printer, before PAPPL, and may change what
     * it asks of a job; false after a response. Default: all are taken. */
    bool (*take_request)(pappl_client_t *client);

    /* Jobs of raster are printed `copies` times, and several ranges of pages:
     * clients are told that. Default: once, one range, as PAPPL has it. */
    bool prints_copies;

    /* A filter prints files of raster, which may wait then. Default: only what
     * can be printed as it comes is taken, else the printer is busy. */
    bool keeps_raster;

    /* ---- Printers ---- */

    /* Looks at attributes that a request sets of a printer, which may have
     * been created for it, and may change them; false after a response.
     * Default: PAPPL takes them. */
    bool (*take_attributes)(pappl_client_t *client, pappl_printer_t *printer);

    /* Whether jobs can be printed with those defaults, which come from requests
     * and web pages; else `why` [PAPPLFIXES_WHY] and `*field`, its name on a
     * web page or "", say what is wrong. Default: they can. */
    bool (*take_defaults)(pappl_printer_t *printer,
                          const pappl_pr_driver_data_t *data, int count,
                          const cups_option_t *vendor, const char **field,
                          char *why);

    /* ---- The server ---- */

    /* Called before and behind the main loop. Default: nothing. */
    void (*server_begins)(pappl_system_t *system);
    void (*server_ends)(void);

    /* Returns the folder of the server's certificate and key, which is created
     * if its parent is there. Default: libcups's. */
    const char *(*certificates)(void);

    /* Whether jobs print well with an untested PAPPL; `line` is the result.
     * Takes up to a minute. Default: none such is used. */
    bool (*self_test)(char *line, size_t size);

    /* ---- Commands ---- */

    /* Says on standard error that there is no server for a command. Default:
     * PAPPL starts one. */
    void (*no_server)(const char *base);

    /* ---- Web pages. Default: PAPPL's own ---- */

    /* Each of these writes a page to a client. The first two ask
     * papplClientHTMLAuthorize(), and take what is posted. */
    void (*add_page)(pappl_client_t *client, pappl_system_t *system);
    void (*media_page)(pappl_client_t *client, pappl_printer_t *printer);
    void (*supplies_page)(pappl_client_t *client, pappl_printer_t *printer);

    /* Writes the part that shows, or asks for, what a printer or the server is
     * called, where and whose it is. */
    void (*info_part)(pappl_client_t *client, bool is_form, const char *name,
                      const char *location, const char *geo,
                      const char *organization, const char *unit,
                      const pappl_contact_t *contact);

    /* Writes the content of a page that is refused, by that status. */
    void (*refused_page)(pappl_client_t *client, http_status_t status);

    /* Writes, behind the head of a page, what renews it. Default: PAPPL has the
     * browser load it again. */
    void (*renew_page)(pappl_client_t *client);

    /* Returns a whole page as it is to be sent, `*bytes` that the library
     * frees; NULL: as it came. */
    char *(*mend_page)(pappl_client_t *client, const char *page, size_t size,
                       size_t *bytes);

    /* Languages of all pages, as of "lang", of which
     * papplSystemAddStringsFile() adds all words; the first is for clients that
     * ask for none of them. NULL ends them. Default: PAPPL's, and what words of
     * these there are. */
    const char *const *languages;

    /* Path, behind a printer's, of a page with a form of
     * "multipart/form-data" that prints its last field, a file. Default: none.
     */
    const char *upload_page;

    /* Adds what the form's other fields ask of a job to its request. Returns
     * why it is refused, static, or NULL. */
    const char *(*upload_options)(pappl_printer_t *printer, int count,
                                  cups_option_t *fields, ipp_t *request);

    /* Writes that page after the form has become a job, of that number, or 0,
     * with what the answer says, or NULL. */
    void (*upload_done)(pappl_client_t *client, pappl_printer_t *printer,
                        int job, const char *says);

    /* Text for a client whose Host is none of the server's names. */
    const char *wrong_host;
};

/* Takes the application's part, which lives as long as the process, and ends
 * the process where PAPPL calls an access check of its own instead of ours. Any
 * other function that it calls so ends the server, which papplSystemCreate()
 * begins. NULL: all are the default, and any function ends the process. */
void papplfixes_start(const struct papplfixes *part);

/* ---- Settings -------------------------------------------------------------
 */

/* 0 or false: as given here. */
struct papplfixes_settings {
    int client_seconds;  /* that a client may keep the server waiting: 60 */
    int printer_seconds; /* without a byte till a printer is stalled: 30 */
    int jobs;            /* of a printer, that have not ended: 1000 */
    unsigned share;      /* percent of jobs and bytes of a stranger: 25 */
    int hold_seconds;    /* until a stranger's held job is canceled: 86400 */
    int keep_seconds;   /* until a job's document goes: 86400; -1: at its end */
    uint64_t document;  /* bytes of a document that waits: 1 GiB */
    uint64_t documents; /* bytes of all of them: 4 GiB */
    bool any_pappl;     /* runs though its self-test has failed */
};

/* Call it before papplSystemCreate(). */
void papplfixes_set(const struct papplfixes_settings *settings);

/* ---- For the application -------------------------------------
 */

/* A subcommand for papplMainloop(): prints the job of option "-j", which has
 * ended, again, and says the number of the new one. */
int papplfixes_reprint(const char *base, int count, cups_option_t *options,
                       int files, char **names, void *data);

/* Opens the device of a job's printer anew, without a lock; NULL after the
 * printer has been said to be offline. */
pappl_device_t *papplfixes_open(pappl_printer_t *printer, const char *name);

/* A thread that PAPPL has print a job writes to its device by
 * papplDeviceWrite() alone. Others, and who wants to know of stalls, call
 * these. */

/* Notes, for a server that is killed, that the printer gets the first bytes of
 * a job. */
void papplfixes_begun(pappl_job_t *job);

/* Progress of a job's printer; begin with {.job = job}. */
struct papplfixes_stall {
    pappl_job_t *job;
    double since;    /* s; 0: it has not stalled */
    double canceled; /* s, when that was seen; 0: it is not */
    bool is_told;
};

/* Call papplDeviceWrite() and papplDeviceFlush(). The first returns -1, and the
 * other returns, where the printer of a canceled job has taken nothing for
 * `printer_seconds`. */
ssize_t papplfixes_write(struct papplfixes_stall *stall, pappl_device_t *device,
                         const void *data, size_t bytes);
void papplfixes_flush(struct papplfixes_stall *stall, pappl_device_t *device);

/* A file that grows, in the folder of documents; the rest is 0. */
struct papplfixes_file {
    int fd;
    const char *path;
    uint64_t bytes;    /* that it has */
    uint64_t allowed;  /* that it may have before it is looked at again */
    bool is_too_large; /* itself, not all of them */
};

/* Writes all of it at the file's end, within the limits of documents. False
 * with the reason in `why` [PAPPLFIXES_WHY]. */
bool papplfixes_file_write(struct papplfixes_file *file, const void *data,
                           size_t bytes, char *why);

/* Returns the time in seconds, by a clock that nobody sets. */
double papplfixes_now(void);

/* Replaces a file by one that is written beside it, or creates it with that
 * `mode`, and waits for the disk: after a loss of power it is as it was, or as
 * it is now. Any number of threads may call it for one file: the last to begin
 * is kept. False with errno, and the file as it was. */
bool papplfixes_save(const char *path, const void *data, size_t bytes,
                     mode_t mode);

/* Returns why the client of this thread gets no more of the server's time;
 * NULL: it does, or there is none. Static. */
const char *papplfixes_client_fault(void);

/* Answers the request of this thread by that line, if it adds a printer of
 * driver "auto". The first line stays. */
void papplfixes_refuse_printer(const char *why);

/* Returns the reason; "": there is none, or it was sent. */
const char *papplfixes_printer_refusal(void);

/* Returns the language of this thread's page, one of the application's. */
const char *papplfixes_language(void);

/* Returns why defaults were refused in the request of this thread, and the
 * field that is wrong; both may be "". */
const char *papplfixes_default_refusal(const char **field);

/* Returns a size of paper by a name of PWG's, IPP's or a PPD's, in letters of
 * either case; its width is 0 where there is none. Its texts last until this
 * thread asks for another. */
pwg_media_t papplfixes_media(const char *name);

/* PAPPL's own, which its headers have not: writes where the server of a user
 * listens for commands; sets the state of a job and nothing else; returns
 * "http" or "https", of links that ask for a password; names contents, and the
 * tracking of media, and finds that by its name, 0 where there is none. */
char *_papplMainloopGetServerPath(const char *name, uid_t user, char *path,
                                  size_t size);
void _papplJobSetState(pappl_job_t *job, ipp_jstate_t state);
const char *_papplClientGetAuthWebScheme(pappl_client_t *client);
const char *_papplContentString(pappl_content_t content);
const char *_papplMediaTrackingString(pappl_media_tracking_t tracking);
pappl_media_tracking_t _papplMediaTrackingValue(const char *name);

#endif
