/*
 * call.c - errors of OpenCL's calls, and waiting; see call.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <time.h>

#include "gpu/host/fault.h"
#include "gpu/opencl/call.h"

/* For a launch: a slow GPU needs a few seconds. A processor that runs other
 * tests, too, and compiles the kernels first, takes far longer. */
#ifdef HT_GPU_FAULTS
#define DEADLINE_S 300
#else
#define DEADLINE_S 30
#endif

bool ht_cl_ok(struct ht_cl_page *own, cl_int error)
{
    if (ht_fault("call"))
        error = CL_OUT_OF_RESOURCES;
    if (error != CL_SUCCESS)
        own->error = error;
    return error == CL_SUCCESS;
}

bool ht_cl_fails(struct ht_cl_page *own, const char *where)
{
    return ht_fault(where) && !ht_cl_ok(own, CL_OUT_OF_RESOURCES);
}

/* Returns the status of a command, below 0 after an error. */
static cl_int status_of(struct ht_cl_page *own, cl_event event)
{
    cl_int status = CL_QUEUED;
    cl_int error = ht_cl()->clGetEventInfo(
        event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);

    if (!ht_cl_ok(own, error))
        return own->error;
    if (status < 0)
        own->error = status;
    return status;
}

bool ht_cl_is_over(struct ht_cl_page *own, cl_event event)
{
    return status_of(own, event) <= CL_COMPLETE;
}

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Asks again and again, as OpenCL's own wait has no end. */
bool ht_cl_wait(struct ht_cl_page *own, cl_event event)
{
    const double deadline = now_s() + DEADLINE_S;
    const struct timespec moment = {0, 50000};
    bool hangs = ht_cl_fails(own, "hang");

    for (cl_int status; !hangs && !ht_cl_hangs();) {
        status = status_of(own, event);
        if (status <= CL_COMPLETE)
            return status == CL_COMPLETE;
        nanosleep(&moment, NULL);
        hangs = now_s() > deadline;
    }
    ht_cl_set_hanging();
    return false;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong ns = 0;

    (void)ht_cl()->clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL);
    return ns;
}

double ht_cl_kernel_time(const struct ht_cl_launch *launch)
{
    cl_event last = launch->last != NULL ? launch->last : launch->first;

    if (last == NULL)
        return 0;
    cl_ulong begin = time_of(launch->first, CL_PROFILING_COMMAND_START);
    cl_ulong end = time_of(last, CL_PROFILING_COMMAND_END);
    return end > begin ? (double)(end - begin) * 1e-9 : 0;
}

void ht_cl_forget(cl_event *event)
{
    if (*event != NULL)
        ht_cl()->clReleaseEvent(*event);
    *event = NULL;
}
