/*
 * loader.h - OpenCL's loader of drivers, opened at run time: a machine without
 * one can still load the module.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HT_CL_LOADER_H
#define HT_CL_LOADER_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>

/* The calls that the engine uses. */
#define HT_CL_CALLS(CALL)                                                      \
    CALL(clBuildProgram)                                                       \
    CALL(clCreateBuffer)                                                       \
    CALL(clCreateCommandQueue)                                                 \
    CALL(clCreateContext)                                                      \
    CALL(clCreateKernel)                                                       \
    CALL(clCreateProgramWithSource)                                            \
    CALL(clEnqueueFillBuffer)                                                  \
    CALL(clEnqueueMapBuffer)                                                   \
    CALL(clEnqueueNDRangeKernel)                                               \
    CALL(clEnqueueReadBuffer)                                                  \
    CALL(clEnqueueUnmapMemObject)                                              \
    CALL(clEnqueueWriteBuffer)                                                 \
    CALL(clFlush)                                                              \
    CALL(clGetDeviceIDs)                                                       \
    CALL(clGetDeviceInfo)                                                      \
    CALL(clGetEventInfo)                                                       \
    CALL(clGetEventProfilingInfo)                                              \
    CALL(clGetPlatformIDs)                                                     \
    CALL(clReleaseCommandQueue)                                                \
    CALL(clReleaseContext)                                                     \
    CALL(clReleaseEvent)                                                       \
    CALL(clReleaseKernel)                                                      \
    CALL(clReleaseMemObject)                                                   \
    CALL(clReleaseProgram)                                                     \
    CALL(clSetKernelArg)

struct ht_cl_calls {
#define HT_CL_FIELD(call) __typeof__(&call) call;
    HT_CL_CALLS(HT_CL_FIELD)
#undef HT_CL_FIELD
};

/* Returns the calls, which it finds the first time; NULL if there is no loader
 * or it lacks one. */
const struct ht_cl_calls *ht_cl(void);

#endif
