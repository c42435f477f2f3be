/*
 * replaced.h - the functions of PAPPL, libcups and libc that the library
 * replaces, and PAPPL's functions that are in none of its headers. PAPPL calls
 * them as every shared library calls what it exports: by names that the program
 * or a preloaded library may have, and then theirs are meant.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PAPPL_FIXES_REPLACED_H
#define PAPPL_FIXES_REPLACED_H

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#include <cups/cups.h>
#include <cups/file.h>
#include <cups/raster.h>
#include <pappl/pappl.h>

/* Renames the computer in the network: libavahi-client's, PAPPL's alone. */
int avahi_client_set_host_name(void *client, const char *name);

/* Starts the process's client of DNS-SD, Avahi's, if there is none yet. Returns
 * it, or NULL. */
void *_papplDNSSDInit(pappl_system_t *system);

/* Loads the languages that PAPPL has. */
void _papplLocLoadAll(pappl_system_t *system);

/* Whether a document is behind the attributes of a client's request. */
bool _papplClientHaveDocumentData(pappl_client_t *client);

/* Shows who and where a printer or the server is, or a form to change it. */
void _papplClientHTMLInfo(pappl_client_t *client, bool is_form,
                          const char *name, const char *location,
                          const char *geo, const char *organization,
                          const char *unit, pappl_contact_t *contact);

/* Web pages: of the media that are loaded, of supplies, of new printers. */
void _papplPrinterWebMedia(pappl_client_t *client, pappl_printer_t *printer);
void _papplPrinterWebSupplies(pappl_client_t *client, pappl_printer_t *printer);
void _papplSystemWebAddPrinter(pappl_client_t *client, pappl_system_t *system);

/* Reads a request, does what it asks, and answers; false ends the connection.
 */
bool _papplClientProcessHTTP(pappl_client_t *client);

/* Connects a command to its server, or one that it starts if `starts`; NULL if
 * there is none. `base` is the program's name. */
http_t *_papplMainloopConnect(const char *base, bool starts);

/* Connects a command to the printer of an address, whose path `resource` is
 * then. NULL after a message. */
http_t *_papplMainloopConnectURI(const char *base, const char *uri,
                                 char *resource, size_t size);

/* Adds the address of the printer of that name, whose path `resource` is then,
 * to a request. */
void _papplMainloopAddPrinterURI(ipp_t *request, const char *name,
                                 char *resource, size_t size);

/* Writes the name of the server's default printer; NULL if it has none. */
char *_papplMainloopGetDefaultPrinter(http_t *http, char *name, size_t size);

/* The commands "autoadd", "cancel", "options" and "status"; they return their
 * exit status. */
int _papplMainloopCancelJob(const char *base, int count,
                            cups_option_t *options);
int _papplMainloopAutoAddPrinters(const char *base, int count,
                                  cups_option_t *options);
int _papplMainloopShowOptions(const char *base, int count,
                              cups_option_t *options);
int _papplMainloopShowStatus(const char *base, int count,
                             cups_option_t *options);

/* The command "drivers": lists those of the application, or the one that a
 * printer's identification names. Returns its exit status. */
int _papplMainloopShowDrivers(const char *base, int drivers,
                              pappl_pr_driver_t *list,
                              pappl_pr_autoadd_cb_t choose,
                              pappl_pr_driver_cb_t set, int count,
                              cups_option_t *options,
                              pappl_ml_system_cb_t begin, void *data);

/* Adds the options of a command to a request of its. `supported` is what the
 * printer says of itself, or NULL. */
void _papplMainloopAddOptions(ipp_t *request, int count, cups_option_t *options,
                              ipp_t *supported);

/* Does what an IPP request asks, and answers; false if it could not. */
bool _papplClientProcessIPP(pappl_client_t *client);

/* Adds the scheme of files to those of devices. */
void _papplDeviceAddFileScheme(void);

/* Takes the document of a request for a job, or refuses it. */
void _papplJobCopyDocumentData(pappl_client_t *client, pappl_job_t *job);

/* Does what an IPP request asks of a job, and answers. */
void _papplJobProcessIPP(pappl_client_t *client);

/* Whether the document of a request can be printed; false after a response. */
bool _papplJobValidateDocumentAttributes(pappl_client_t *client);

/* Changes a job's state, and nothing else. */
void _papplJobSetState(pappl_job_t *job, ipp_jstate_t state);

/* Lets a job wait for its turn with that file. */
void _papplJobSubmitFile(pappl_job_t *job, const char *path);

/* Adds what is `wanted` of a job to the response to a client. */
void _papplJobCopyAttributesNoLock(pappl_job_t *job, pappl_client_t *client,
                                   cups_array_t *wanted);

/* Reads what is left of a document. */
void _papplClientFlushDocumentData(pappl_client_t *client);

/* Serves a client until its connection ends, on a thread of its own. Returns
 * NULL. */
void *_papplClientRun(pappl_client_t *client);

/* Closes a client's connection. */
void _papplClientDelete(pappl_client_t *client);
/* Adds the kinds of devices to what the server says of itself. */
void _papplDeviceAddSupportedSchemes(ipp_t *attributes);

/* Returns the page at a path, of PAPPL's own; NULL = there is none. */
void *_papplSystemFindResourceForPath(pappl_system_t *system, const char *path);

/* Makes a job, of number `id` if that is not 0. */
pappl_job_t *_papplJobCreate(pappl_printer_t *printer, int id, const char *user,
                             const char *format, const char *name,
                             ipp_t *attributes);

/* Holds a job, which is locked. */
bool _papplJobHoldNoLock(pappl_job_t *job, const char *user, const char *until,
                         time_t time);

/* Frees a job that has ended. */
void _papplJobDelete(pappl_job_t *job);

/* Forgets jobs that ended long ago; the printer is locked. */
void _papplPrinterCleanJobsNoLock(pappl_printer_t *printer);

/* Removes the document of a job. */
void _papplJobRemoveFile(pappl_job_t *job);

/* Prints the jobs of a printer that wait. */
void _papplPrinterCheckJobs(pappl_printer_t *printer);

/* Asks the main loop to save the state when it next wakes. */
void _papplSystemConfigChanged(pappl_system_t *system);

/* Prints a job. Returns NULL. */
void *_papplJobProcess(pappl_job_t *job);

/* Adds what is `wanted` of a printer's state, or all (NULL), to a group of a
 * message, for a client or none. The printer is locked. */
void _papplPrinterCopyStateNoLock(pappl_printer_t *printer, ipp_tag_t group,
                                  ipp_t *to, pappl_client_t *client,
                                  cups_array_t *wanted);

/* Adds what is `wanted` of a job's state, or all (NULL), to a group of a
 * message. The job is locked. */
void _papplJobCopyStateNoLock(pappl_job_t *job, ipp_tag_t group, ipp_t *to,
                              cups_array_t *wanted);

/* Copies what a collection says of a sheet. */
void _papplMediaColImport(ipp_t *col, pappl_media_col_t *media);

/* Opens the log, the first time or anew. */
void _papplLogOpen(pappl_system_t *system);

/* Does what an IPP request asks of a printer, and answers. */
void _papplPrinterProcessIPP(pappl_client_t *client);

/* Does what an IPP request asks of the system, and answers. */
void _papplSystemProcessIPP(pappl_client_t *client);

/* Puts what is `wanted` of a printer, or all (NULL), into the answer to a
 * client, for documents of a format or any (NULL). The printer is locked. */
void _papplPrinterCopyAttributesNoLock(pappl_printer_t *printer,
                                       pappl_client_t *client,
                                       cups_array_t *wanted,
                                       const char *format);

/* Whether a client may do what its request asks of a printer or its jobs; false
 * after a response. */
bool _papplPrinterIsAuthorized(pappl_client_t *client);

/* Takes the attributes of a Set-Printer-Attributes or Create-Printer request;
 * false after a response that refuses them. */
bool _papplPrinterSetAttributes(pappl_client_t *client,
                                pappl_printer_t *printer);

/* Prints a job of raster as it comes from its client. */
void _papplJobProcessRaster(pappl_job_t *job, pappl_client_t *client);

/* ---- Replaced functions --------------------------------------------------
 */

/* Check who may do what: without them no command starts, either. */
#define REPLACED_ACCESS(ONE)                                                   \
    ONE(papplClientHTMLAuthorize)                                              \
    ONE(papplClientRespond)                                                    \
    ONE(papplSystemGetHostName)                                                \
    ONE(httpUpdate)                                                            \
    ONE(_papplClientProcessHTTP)                                               \
    ONE(_papplPrinterIsAuthorized)

#define REPLACED_OTHERS(ONE)                                                   \
    ONE(avahi_client_set_host_name)                                            \
    ONE(cupsArrayAdd)                                                          \
    ONE(cupsArrayFind)                                                         \
    ONE(cupsArrayFirst)                                                        \
    ONE(cupsArrayIndex)                                                        \
    ONE(cupsArrayNext)                                                         \
    ONE(cupsDoFileRequest)                                                     \
    ONE(cupsDoRequest)                                                         \
    ONE(cupsFileOpen)                                                          \
    ONE(cupsFilePutConf)                                                       \
    ONE(cupsRasterReadHeader2)                                                 \
    ONE(cupsRasterReadPixels)                                                  \
    ONE(cupsSetServerCredentials)                                              \
    ONE(httpAcceptConnection)                                                  \
    ONE(httpEncryption)                                                        \
    ONE(httpPeek)                                                              \
    ONE(httpRead2)                                                             \
    ONE(httpReadRequest)                                                       \
    ONE(httpWait)                                                              \
    ONE(httpWrite2)                                                            \
    ONE(ippCopyAttribute)                                                      \
    ONE(ippCopyAttributes)                                                     \
    ONE(ippReadFile)                                                           \
    ONE(ippRead)                                                               \
    ONE(_papplClientDelete)                                                    \
    ONE(papplClientGetLoc)                                                     \
    ONE(_papplClientHaveDocumentData)                                          \
    ONE(papplClientHTMLHeader)                                                 \
    ONE(papplClientHTMLPuts)                                                   \
    ONE(_papplClientHTMLInfo)                                                  \
    ONE(_papplClientProcessIPP)                                                \
    ONE(papplClientRespondIPP)                                                 \
    ONE(papplClientRespondIPPUnsupported)                                      \
    ONE(_papplClientRun)                                                       \
    ONE(_papplDeviceAddFileScheme)                                             \
    ONE(_papplDeviceAddSupportedSchemes)                                       \
    ONE(papplDeviceFlush)                                                      \
    ONE(papplDeviceGetID)                                                      \
    ONE(papplDeviceList)                                                       \
    ONE(papplDeviceClose)                                                      \
    ONE(papplDeviceOpen)                                                       \
    ONE(papplDeviceWrite)                                                      \
    ONE(papplJobCancel)                                                        \
    ONE(_papplJobCopyAttributesNoLock)                                         \
    ONE(_papplJobCopyDocumentData)                                             \
    ONE(_papplJobCopyStateNoLock)                                              \
    ONE(_papplJobCreate)                                                       \
    ONE(_papplJobDelete)                                                       \
    ONE(papplJobHold)                                                          \
    ONE(_papplJobHoldNoLock)                                                   \
    ONE(papplJobIsCanceled)                                                    \
    ONE(papplJobOpenFile)                                                      \
    ONE(_papplJobProcessIPP)                                                   \
    ONE(_papplJobProcessRaster)                                                \
    ONE(papplJobRelease)                                                       \
    ONE(_papplJobRemoveFile)                                                   \
    ONE(_papplJobValidateDocumentAttributes)                                   \
    ONE(papplLog)                                                              \
    ONE(papplLogClient)                                                        \
    ONE(_papplLocLoadAll)                                                      \
    ONE(papplLogDevice)                                                        \
    ONE(papplLogJob)                                                           \
    ONE(_papplLogOpen)                                                         \
    ONE(papplLogPrinter)                                                       \
    ONE(_papplMainloopAddOptions)                                              \
    ONE(_papplMainloopAddPrinterURI)                                           \
    ONE(_papplMainloopAutoAddPrinters)                                         \
    ONE(_papplMainloopConnect)                                                 \
    ONE(_papplMainloopConnectURI)                                              \
    ONE(_papplMainloopShowDrivers)                                             \
    ONE(_papplMainloopShowOptions)                                             \
    ONE(_papplMainloopShowStatus)                                              \
    ONE(_papplMediaColImport)                                                  \
    ONE(papplPrinterCancelAllJobs)                                             \
    ONE(_papplPrinterCheckJobs)                                                \
    ONE(_papplPrinterCleanJobsNoLock)                                          \
    ONE(_papplPrinterCopyAttributesNoLock)                                     \
    ONE(_papplPrinterCopyStateNoLock)                                          \
    ONE(papplPrinterCreate)                                                    \
    ONE(papplPrinterDelete)                                                    \
    ONE(papplPrinterGetState)                                                  \
    ONE(papplPrinterIterateAllJobs)                                            \
    ONE(papplPrinterPause)                                                     \
    ONE(_papplPrinterProcessIPP)                                               \
    ONE(papplPrinterReleaseHeldNewJobs)                                        \
    ONE(papplPrinterResume)                                                    \
    ONE(_papplPrinterSetAttributes)                                            \
    ONE(papplPrinterSetDriverData)                                             \
    ONE(papplPrinterSetDriverDefaults)                                         \
    ONE(papplPrinterSetReadyMedia)                                             \
    ONE(_papplPrinterWebMedia)                                                 \
    ONE(_papplPrinterWebSupplies)                                              \
    ONE(papplSubscriptionCreate)                                               \
    ONE(papplSystemAddListeners)                                               \
    ONE(papplSystemCreate)                                                     \
    ONE(papplSystemDelete)                                                     \
    ONE(papplSystemFindPrinter)                                                \
    ONE(_papplSystemFindResourceForPath)                                       \
    ONE(papplSystemIsRunning)                                                  \
    ONE(papplSystemLoadState)                                                  \
    ONE(_papplSystemProcessIPP)                                                \
    ONE(papplSystemRun)                                                        \
    ONE(papplSystemSaveState)                                                  \
    ONE(papplSystemSetHostName)                                                \
    ONE(_papplSystemWebAddPrinter)                                             \
    ONE(pthread_rwlock_rdlock)                                                 \
    ONE(pthread_rwlock_unlock)                                                 \
    ONE(pthread_rwlock_wrlock)                                                 \
    ONE(sethostname)                                                           \
    ONE(time)                                                                  \
    ONE(write)

struct replaced_functions {
#define MEMBER(name) __typeof__(name) *name;
    REPLACED_ACCESS(MEMBER)
    REPLACED_OTHERS(MEMBER)
#undef MEMBER
};

/* Returns the functions that are replaced, by their names. */
const struct replaced_functions *replaced_functions(void);

/* The replaced function itself. */
#define REAL(name) (replaced_functions()->name)

/* Returns the name of a replacement that PAPPL does not call, of those of
 * access `access_alone` or of all; NULL: it calls all. */
const char *replaced_not_called(bool access_alone);

/* Whether the program, not a library that was preloaded, is linked with PAPPL.
 */
bool replaced_program_needs_pappl(void);

#endif
