/*
 * test_module.c - which modules of an accelerator are taken. Those that fit
 * are under test in test_gpu.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dlfcn.h>

#include "halftone/halftone.h"
#include "test/cases.h"

TEST(refuses_what_an_older_build_has_left)
{
    assert_non_null(dlopen(STALE_MODULE, RTLD_NOW));
    assert_int_equal(ht_engine_use_module(STALE_MODULE), HT_ERR_FILE);
}

TEST(the_cpu_goes_without_and_says_why)
{
    const ht_page_t page = {
        .method = HT_TDFED4, .width = 10, .inks = 1, .bits = 8, .band = 4};
    ht_engine_t *engine = NULL;

    assert_int_equal(ht_engine_open(&engine, NULL, &page), HT_OK);
    assert_string_equal(ht_engine_why(engine), "no GPU module of this version");
    ht_engine_close(engine);
    assert_int_equal(ht_engine_open(&engine, "cpu", &page), HT_OK);
    assert_null(ht_engine_why(engine));
    ht_engine_close(engine);
}
