/*
 * opencl_device.c - tests that only OpenCL needs: any table, programs that are
 * built at run time, and a machine without it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <sys/wait.h>

#include "test/gpu/gpu_test.h"

/* With other tables than the methods' own: all that ship, and one that puts
 * errors as far back as any may. */
TEST(other_tables_are_the_reference_s)
{
    static const char *const tables[] = {
        DATA "/tdfed-4row.table",     DATA "/tdfed-1row.table",
        DATA "/tdfed-4row-2x1.table", TESTS "/wide.table",
        TESTS "/alone.table",         TESTS "/together.table",
        TESTS "/hostile.table",       TESTS "/feedback.table"};

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        ht_table_t *table = NULL;

        assert_int_equal(ht_table_load(&table, tables[i], NULL), HT_OK);
        for (unsigned k = 0; k < 4; k++) {
            ht_page_t page = {.method = i == 1 ? HT_TDFED1 : HT_TDFED4,
                              .table = table,
                              .width = 300 + 17 * k,
                              .inks = k % 2 ? 4 : 2,
                              .bits = 8,
                              .segment = k < 2 ? 64 : 0,
                              .band = 30};

            check_page(ENGINE, NULL, &page, 40, SIZE_MAX, 10 * i + k);
        }
        ht_table_free(table);
    }
}

/* A compiler that refuses the kernels, or makes others of them: of programs
 * that no other test has built. */
TEST(a_program_that_is_wrong_is_left_alone)
{
    static struct curves curves;

    make_curves(&curves, 1, 1);
    check_waiting_page(HT_TDFED1, &curves, "compile", true);
    check_waiting_page(HT_TDFED1, &curves, "none", true);
    check_waiting_page(HT_FLOYD_STEINBERG, &curves, "dots", true);
    check_waiting_page(HT_FLOYD_STEINBERG, &curves, "none", true);
}

/* Pages that take all memory that there may be: the next one has to wait. On a
 * device that is no GPU it always has to. */
TEST(pages_wait_for_the_memory_of_others)
{
    ht_page_t page = {.method = HT_TDFED1,
                      .width = 1000,
                      .inks = 1,
                      .bits = 8,
                      .band = 100,
                      .device_memory = 2000000};
    ht_engine_t *first = NULL, *second = NULL;

    assert_int_equal(ht_engine_open(&first, ENGINE, &page), HT_OK);
    ht_status_t status = ht_engine_open(&second, ENGINE, &page);
    assert_true(status == HT_OK || status == HT_ERR_BUSY);
    if (status == HT_OK)
        ht_engine_close(second);
    page.device_memory = 1200000;
    assert_int_equal(ht_engine_open(&second, ENGINE, &page), HT_ERR_BUSY);
    page.device_memory = 1000;
    assert_int_equal(ht_engine_open(&second, ENGINE, &page), HT_ERR_MEMORY);
    ht_engine_close(first);
    page.device_memory = 1200000;
    assert_int_equal(ht_engine_open(&second, ENGINE, &page), HT_OK);
    ht_engine_close(second);
}

/* A device that gives no answer is left alone from then on. Comes last. */
TEST(a_device_that_hangs_is_left_alone)
{
    ht_page_t page;
    ht_engine_t *engine = NULL;

    check_waiting_page(HT_TDFED1, NULL, "hang:3", true);
    ht_page_init(&page);
    page.width = 8;
    assert_int_equal(ht_engine_open(&engine, ENGINE, &page), HT_ERR_ENGINE);
    assert_false(ht_engine_release());
}

/* The test program, run where there is no loader, another library in its place,
 * or no driver: it says so and nothing else happens. */
TEST(a_machine_without_opencl_has_no_such_engine)
{
    static const char *const without[] = {
        "HALFTONE_OPENCL_LOADER=/none/libOpenCL.so.1",
        "HALFTONE_OPENCL_LOADER=libm.so.6", "OCL_ICD_VENDORS=/none"};
    char command[1024];

    for (size_t i = 0; i < sizeof without / sizeof without[0]; i++) {
        snprintf(command, sizeof command, "%s '%s' usable >/dev/null",
                 without[i], program);
        assert_int_equal(WEXITSTATUS(system(command)), 3);
    }
}
