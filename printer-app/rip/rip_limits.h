/*
 * rip_limits.h - limits of a RIP.
 *
 * There is no limit to the network: no system forbids it to one process of a
 * user in a simple way, and neither program opens a connection for a PDF. The
 * unit of a service can have PrivateNetwork or IPAddressDeny for all of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PRINTER_APP_RIP_LIMITS_H
#define PRINTER_APP_RIP_LIMITS_H

#include "page/stream.h"
#include "printer-app/rip/rip_page.h"

/* Address space, MiB. For the pages of doc/samples/ at 1200 dpi 96 are enough;
 * pages with much transparency take more, and those with large pictures: as
 * much as these have, unpacked. A hostile PDF takes what it gets. */
#define RIP_MEMORY_MIB 2048u

/* Seconds of a processor for a page. Pages of doc/samples/ take one second in
 * CMYK at 1200 dpi; so there is room for slow processors and for large maps,
 * and a page that never ends does end. */
#define RIP_PAGE_SECONDS 300u

/* Seconds without a byte of raster. A page comes out when all of it has been
 * interpreted; a RIP that waits for something takes no processor. */
#define RIP_SILENT_SECONDS 120u

/* MiB of one file. Neither program has any for what a page draws. */
#define RIP_FILE_MIB 4096u

/* Open files. Both programs have ten, and some for each font's file. */
#define RIP_OPEN_FILES 64u

/* Niceness of the process, so that those who print go first: nice(1). */
#define RIP_NICE 5

struct rip_limits {
    unsigned memory_mib, page_seconds, silent_seconds, file_mib;
};

/* Does rip_run() within limits that are not the usual ones, for tests. `limits`
 * is copied. */
bool rip_run_within(const char *path, const struct rip_page *page,
                    const struct rip_limits *limits,
                    struct stream_taker *taker);

#endif
