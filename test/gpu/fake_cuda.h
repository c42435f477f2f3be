/*
 * fake_cuda.h - between the fakes of the CUDA runtime and of its launches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TEST_FAKE_CUDA_H
#define TEST_FAKE_CUDA_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

/* Returns whether a stream is the selected device's: work for another is
 * refused. */
bool fake_is_selected(cudaStream_t stream);

#endif
