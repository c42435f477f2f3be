/*
 * test_module.c - which modules of an accelerator are taken. Those that fit
 * are under test in test_gpu.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "halftone/halftone.h"

static void refuses_what_an_older_build_has_left(void **state)
{
    (void)state;
    assert_non_null(dlopen(STALE_MODULE, RTLD_NOW));
    assert_int_equal(ht_engine_use_module(STALE_MODULE), HT_ERR_FILE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_an_older_build_has_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
