/*
 * device.c - finds the OpenCL device and builds programs for it; see device.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/host/fault.h"
#include "gpu/opencl/device.h"

#define MOST_PLATFORMS 16
#define MOST_DEVICES 16
#define LEAST_GROUP 128                  /* the tallest brick's rows */
#define LEAST_LOCAL ((cl_ulong)32 << 10) /* what OpenCL 1.1 promises */
#define MEMORY_SHARE 4                   /* one part in 4 is for pages */

static const unsigned char source[] = {
#include "gpu/opencl/common.inc"
#include "gpu/opencl/drops.inc"
#include "gpu/opencl/floyd.inc"
#include "gpu/opencl/prepare.inc"
#include "gpu/opencl/tdfed.inc"
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct ht_cl_device device;
static bool found;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct ht_cl_program *programs; /* with the mutex */
static size_t held;                    /* bytes; with the mutex */
static unsigned pages;                 /* that have a turn; with the mutex */
static atomic_bool hanging;
bool ht_cl_keeps_times;

/* ---- The device --------------------------------------------------------- */

static bool ask(cl_device_id id, cl_device_info what, void *to, size_t bytes)
{
    return ht_cl()->clGetDeviceInfo(id, what, bytes, to, NULL) == CL_SUCCESS;
}

/* Whether the kernels run on a device; fills in what it has. */
static bool suits(cl_device_id id, struct ht_cl_device *to)
{
    cl_bool available = CL_FALSE, compiler = CL_FALSE, little = CL_FALSE;
    cl_ulong local = 0, memory = 0, buffer = 0;

    *to = (struct ht_cl_device){.id = id};
    if (!ask(id, CL_DEVICE_AVAILABLE, &available, sizeof available) ||
        !ask(id, CL_DEVICE_COMPILER_AVAILABLE, &compiler, sizeof compiler) ||
        !ask(id, CL_DEVICE_ENDIAN_LITTLE, &little, sizeof little) ||
        !ask(id, CL_DEVICE_LOCAL_MEM_SIZE, &local, sizeof local) ||
        !ask(id, CL_DEVICE_GLOBAL_MEM_SIZE, &memory, sizeof memory) ||
        !ask(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, &buffer, sizeof buffer) ||
        !ask(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, &to->group, sizeof to->group))
        return false;
    const unsigned one = 1;
    bool host_little = *(const unsigned char *)&one == 1;
    to->local_bytes = (size_t)local;
    to->memory = (size_t)(memory / MEMORY_SHARE);
    to->buffer = (size_t)buffer;
    return available && compiler && (little != CL_FALSE) == host_little &&
           local >= LEAST_LOCAL && to->group >= LEAST_GROUP;
}

/* Looks for a device of a type. */
static bool find(const cl_platform_id *platforms, cl_uint count,
                 cl_device_type type)
{
    for (cl_uint i = 0; i < count && i < MOST_PLATFORMS; i++) {
        cl_device_id ids[MOST_DEVICES];
        cl_uint devices = 0;

        if (ht_cl()->clGetDeviceIDs(platforms[i], type, MOST_DEVICES, ids,
                                    &devices) != CL_SUCCESS)
            continue;
        for (cl_uint k = 0; k < devices && k < MOST_DEVICES; k++)
            if (suits(ids[k], &device)) {
                device.gpu = type == CL_DEVICE_TYPE_GPU;
                return true;
            }
    }
    return false;
}

static void find_device(void)
{
    cl_platform_id platforms[MOST_PLATFORMS];
    cl_uint count = 0;
    cl_int error = CL_SUCCESS;

    if (ht_cl() == NULL || ht_cl()->clGetPlatformIDs(MOST_PLATFORMS, platforms,
                                                     &count) != CL_SUCCESS)
        return;
    if (!find(platforms, count, CL_DEVICE_TYPE_GPU) &&
        !find(platforms, count, CL_DEVICE_TYPE_ALL))
        return;
    device.context =
        ht_cl()->clCreateContext(NULL, 1, &device.id, NULL, NULL, &error);
    found = error == CL_SUCCESS;
}

const struct ht_cl_device *ht_cl_device(void)
{
    pthread_once(&once, find_device);
    return found ? &device : NULL;
}

void ht_cl_set_hanging(void)
{
    hanging = true;
}

bool ht_cl_hangs(void)
{
    return hanging;
}

/* ---- Memory ------------------------------------------------------------- */

ht_status_t ht_cl_take_memory(size_t bytes, size_t most)
{
    size_t limit = most > 0 ? most : device.memory;
    ht_status_t status = HT_OK;

    pthread_mutex_lock(&mutex);
    if (bytes > limit)
        status = HT_ERR_MEMORY;
    else if (held > limit - bytes)
        status = HT_ERR_BUSY;
    else
        held += bytes;
    pthread_mutex_unlock(&mutex);
    return status;
}

void ht_cl_give_memory(size_t bytes)
{
    pthread_mutex_lock(&mutex);
    held -= bytes;
    pthread_mutex_unlock(&mutex);
}

bool ht_cl_take_turn(void)
{
    pthread_mutex_lock(&mutex);
    bool free = device.gpu || pages == 0;
    pages += free;
    pthread_mutex_unlock(&mutex);
    return free;
}

void ht_cl_give_turn(void)
{
    pthread_mutex_lock(&mutex);
    pages--;
    pthread_mutex_unlock(&mutex);
}

/* ---- Programs ----------------------------------------------------------- */

static void build(struct ht_cl_program *program)
{
    const struct ht_cl_kind *kind = &program->kind;
    const char *text = (const char *)source;
    size_t length = sizeof source;
    char options[160];
    cl_int error = CL_SUCCESS;

    snprintf(options, sizeof options,
             "-cl-std=CL1.2 -DBYTES=%u -DCURVES=%u -DMEETS=%u -DSIZES=%u "
             "-DINKS=%u -DSWATH=%u -DITEMS=%u -DBLOCK=%u",
             kind->bytes, kind->curves, kind->meets, kind->sizes, kind->inks,
             kind->swath, kind->items, kind->block);
    if (ht_fault("compile"))
        text = "kernel", length = strlen(text);
    program->program = ht_cl()->clCreateProgramWithSource(
        device.context, 1, &text, &length, &error);
    if (error != CL_SUCCESS) {
        program->program = NULL;
        return;
    }
    error = ht_cl()->clBuildProgram(program->program, 1, &device.id, options,
                                    NULL, NULL);
    if (error == CL_SUCCESS)
        return;
    ht_cl()->clReleaseProgram(program->program);
    program->program = NULL;
}

struct ht_cl_program *ht_cl_program(const struct ht_cl_kind *kind)
{
    pthread_mutex_lock(&mutex);
    struct ht_cl_program *program = programs;
    while (program != NULL && memcmp(&program->kind, kind, sizeof *kind) != 0)
        program = program->next;
    if (program == NULL && (program = calloc(1, sizeof *program)) != NULL) {
        program->kind = *kind;
        build(program);
        program->next = programs;
        programs = program;
    }
    pthread_mutex_unlock(&mutex);
    return program;
}

int ht_cl_verdict(const struct ht_cl_program *program)
{
    pthread_mutex_lock(&mutex);
    int verdict = program->tested ? program->passed : -1;
    pthread_mutex_unlock(&mutex);
    return verdict;
}

void ht_cl_set_verdict(struct ht_cl_program *program, bool passed)
{
    pthread_mutex_lock(&mutex);
    program->tested = true;
    program->passed = passed;
    pthread_mutex_unlock(&mutex);
}

const char *ht_cl_error_text(cl_int error)
{
    switch (error) {
    case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    case CL_OUT_OF_RESOURCES:
        return "the device is out of resources";
    case CL_OUT_OF_HOST_MEMORY:
        return "no memory";
    case CL_INVALID_WORK_GROUP_SIZE:
        return "its work groups are too small";
    case CL_DEVICE_NOT_AVAILABLE:
        return "it is not available";
    default:
        return "OpenCL failed";
    }
}
