/*
 * requests.c - what requests ask of jobs is looked at before PAPPL takes it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "printer-app/ipp/job_request.h"
#include "pappl-fixes/cancel_jobs.h"
#include "pappl-fixes/pappl.h"
#include "pappl-fixes/queue.h"
#include "pappl-fixes/state.h"

typedef void process(pappl_client_t *client);

void _papplPrinterProcessIPP(pappl_client_t *client)
{
    process *pappl;

    override_find(&pappl, "_papplPrinterProcessIPP");
    if (pappl == NULL)
        papplClientRespondIPP(client, IPP_STATUS_ERROR_INTERNAL,
                              "This PAPPL is not known.");
    else if (papplClientGetPrinter(client) == NULL ||
             (!cancel_jobs(client) && queue_has_room(client) &&
              job_request_take(client))) {
        pappl(client);
        queue_tell_room(client);
        state_save_change(client);
    }
}
