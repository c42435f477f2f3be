/*
 * test_processors.c - how many processors a process may use: quotas of control
 * groups, good and odd, in a folder that stands in for the system's root.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "config.h"

#include <errno.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include "halftone/base/processors.h"
#include "page/share.h"
#include "test/cases.h"

/* CPUs that the machine seems to have, all of them allowed; 0 = ask the system.
 * The linker puts the function in the place of sched_getaffinity(). */
static size_t kernel_cpus;
int __real_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);
int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set);

int __wrap_sched_getaffinity(pid_t pid, size_t size, cpu_set_t *set)
{
    if (kernel_cpus == 0)
        return __real_sched_getaffinity(pid, size, set);
    if (size * 8 < kernel_cpus) {
        errno = EINVAL;
        return -1;
    }
    CPU_ZERO_S(size, set);
    for (size_t cpu = 0; cpu < kernel_cpus; cpu++)
        CPU_SET_S(cpu, size, set);
    return 0;
}

/* Writes `text` to root/path, and makes the folders on the way. */
static void put_file(const char *root, const char *path, const char *text)
{
    char full[1024];

    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = full + strlen(root) + 1;
         (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        assert_true(mkdir(full, 0700) == 0 || errno == EEXIST);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void remove_folder(const char *root)
{
    char command[256];

    snprintf(command, sizeof command, "rm -r '%s'", root);
    assert_int_equal(system(command), 0);
}

/* Quotas of the groups /, /a and /a/b; NULL = there is no file. */
struct groups {
    const char *cgroup; /* /proc/self/cgroup */
    const char *top, *a, *b;
    unsigned quota;
};

static void check_groups(const struct groups *groups)
{
    char root[] = "/tmp/test-processors-XXXXXX";

    case_is("group %s, quotas %s, %s, %s",
            groups->cgroup ? groups->cgroup : "none",
            groups->top ? groups->top : "none", groups->a ? groups->a : "none",
            groups->b ? groups->b : "none");
    assert_non_null(mkdtemp(root));
    if (groups->cgroup != NULL)
        put_file(root, "/proc/self/cgroup", groups->cgroup);
    if (groups->top != NULL)
        put_file(root, "/sys/fs/cgroup/cpu.max", groups->top);
    if (groups->a != NULL)
        put_file(root, "/sys/fs/cgroup/a/cpu.max", groups->a);
    if (groups->b != NULL)
        put_file(root, "/sys/fs/cgroup/a/b/cpu.max", groups->b);
    put_file(root, "/secret/cpu.max", "100000 100000\n");
    unsigned quota = ht_quota_in(root);
    remove_folder(root);
    assert_int_equal(quota, groups->quota);
}

TEST(the_least_quota_counts)
{
    static const struct groups cases[] = {
        {"0::/a/b\n", NULL, NULL, NULL, 0},
        {"0::/a/b\n", NULL, "max 100000\n", "max 100000\n", 0},
        {"0::/a/b\n", NULL, "max 100000\n", "400000 100000\n", 4},
        {"0::/a/b\n", NULL, "200000 100000\n", "400000 100000\n", 2},
        {"0::/a/b\n", "300000 100000\n", NULL, "max 100000\n", 3},
        {"0::/a/b\n", "300000 100000\n", "800000 100000\n", "700000 100000", 3},
        {"0::/a\n", NULL, "500000 50000\n", "100000 100000\n", 10},
        {"0::/\n", "600000 100000\n", "100000 100000\n", NULL, 6},
        {"4:cpu:/x\n1:name=systemd:/\n0::/a\n", NULL, "700000 100000\n", NULL,
         7},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_groups(&cases[i]);
}

TEST(parts_of_a_cpu_are_rounded_down)
{
    static const struct groups cases[] = {
        {"0::/a\n", NULL, "150000 100000\n", NULL, 1},
        {"0::/a\n", NULL, "199999 100000\n", NULL, 1},
        {"0::/a\n", NULL, "250000 100000\n", NULL, 2},
        {"0::/a\n", NULL, "50000 100000\n", NULL, 1},
        {"0::/a\n", NULL, "1 1000000\n", NULL, 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_groups(&cases[i]);
}

/* Odd texts are no quota, and lead nowhere else. */
TEST(odd_texts_are_no_quota)
{
    static const char *const odd[] = {"",
                                      "\n",
                                      "max\n",
                                      "max",
                                      "100000\n",
                                      "-1 100000\n",
                                      "100000 0\n",
                                      "0 100000\n",
                                      "x 100000\n",
                                      "1e5 100000\n",
                                      "100000 -1\n",
                                      "100000 100000 x\n",
                                      "100000\n100000\n",
                                      "100000 100000\nx\n",
                                      "99999999999 100000\n",
                                      "200000 100000000000\n"};
    static const struct groups elsewhere[] = {
        {NULL, "100000 100000\n", NULL, NULL, 0},
        {"", "100000 100000\n", NULL, NULL, 0},
        {"0::\n", "100000 100000\n", NULL, NULL, 0},
        {"0::a\n", NULL, "100000 100000\n", NULL, 0},
        {"0::/../../../secret\n", "100000 100000\n", NULL, NULL, 0},
        {"1::/a\n", NULL, "100000 100000\n", NULL, 0},
    };
    static char longer[6000];
    struct groups groups = {.cgroup = "0::/a\n"};

    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        groups.a = odd[i];
        check_groups(&groups);
    }
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
        check_groups(&elsewhere[i]);
    memset(longer, '/', sizeof longer - 1);
    longer[0] = '0';
    longer[1] = longer[2] = ':';
    groups = (struct groups){.cgroup = longer, .top = "100000 100000\n"};
    check_groups(&groups);
    longer[3000] = '\0'; /* a file that is read, a path that is too long */
    check_groups(&groups);
}

/* Cut off, a longer file might look like a smaller quota. */
TEST(part_of_a_file_is_no_quota)
{
    static char longer[6000];
    const struct groups groups = {.cgroup = "0::/a\n", .a = longer};

    snprintf(longer, sizeof longer, "%-4090s%-1000s", "400000", "100000000");
    check_groups(&groups);
}

TEST(the_system_is_asked)
{
    kernel_cpus = 4096;
    unsigned count = ht_processors(), same = ht_processors_in("");
    kernel_cpus = 0;
    assert_int_equal(count, same);
}

TEST(affinity_counts)
{
    cpu_set_t before, one;
    unsigned all = ht_processors();

    assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
    assert_between(all, 1, (unsigned)CPU_COUNT(&before));
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &before))
            CPU_SET(cpu, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    unsigned now = ht_processors();
    assert_int_equal(sched_setaffinity(0, sizeof before, &before), 0);
    assert_int_equal(now, 1);
}

TEST(a_set_grows_with_the_machine)
{
    static const size_t cases[] = {1, 2, 1024, 1025, 4096, 5000, 65536};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        case_is("%zu CPUs", cases[i]);
        kernel_cpus = cases[i];
        unsigned count = ht_processors_in("/nonexistent");
        kernel_cpus = 0;
        assert_int_equal(count, cases[i]);
    }
    kernel_cpus = 1u << 20; /* larger than any set that is tried */
    unsigned count = ht_processors_in("/nonexistent");
    kernel_cpus = 0;
    assert_int_equal(count, ht_online_processors());
}

TEST(the_less_of_affinity_and_quota_counts)
{
    static const struct {
        const char *quota;
        unsigned count; /* of 8 CPUs */
    } cases[] = {{"300000 100000\n", 3},
                 {"50000 100000\n", 1},
                 {"800000 100000\n", 8},
                 {"2000000 100000\n", 8},
                 {"max 100000\n", 8}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char root[] = "/tmp/test-processors-XXXXXX";

        case_is("quota %s", cases[i].quota);
        assert_non_null(mkdtemp(root));
        put_file(root, "/proc/self/cgroup", "0::/a\n");
        put_file(root, "/sys/fs/cgroup/a/cpu.max", cases[i].quota);
        kernel_cpus = 8;
        unsigned count = ht_processors_in(root);
        kernel_cpus = 0;
        remove_folder(root);
        assert_int_equal(count, cases[i].count);
    }
}

TEST(others_are_those_that_run)
{
    static const struct {
        const char *loadavg;
        unsigned own, others;
    } cases[] = {{"0.00 0.00 0.00 1/123 4567\n", 1, 0},
                 {"9.00 9.00 9.00 0/123 4567\n", 1, 0},
                 {"0.10 0.20 0.30 17/123 4567", 1, 16},
                 {"0.10 0.20 0.30 17/123 4567", 6, 11},
                 {"0.10 0.20 0.30 17/123 4567", 18, 0},
                 {"0.10 0.20 0.30 x/123", 1, 0},
                 {"0.10 0.20", 1, 0},
                 {"", 1, 0}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        case_is("%s", cases[i].loadavg);
        assert_int_equal(ht_others_in(cases[i].loadavg, cases[i].own),
                         cases[i].others);
    }
}

/* A name may look like the end of itself. */
TEST(own_threads_are_counted)
{
    char root[] = "/tmp/test-processors-XXXXXX";

    assert_non_null(mkdtemp(root));
    assert_int_equal(ht_running_in(root), 1);
    put_file(root, "/proc/self/task/1/stat", "1 (main) S 0 1 1\n");
    put_file(root, "/proc/self/task/2/stat", "2 (a) R b) S 0 1 1\n");
    put_file(root, "/proc/self/task/3/stat", "3 odd R");
    assert_int_equal(ht_running_in(root), 1);
    put_file(root, "/proc/self/task/4/stat", "4 (x) R 0 1 1\n");
    assert_int_equal(ht_running_in(root), 1);
    put_file(root, "/proc/self/task/5/stat", "5 (y) S) R 0 1 1\n");
    assert_int_equal(ht_running_in(root), 2);
    remove_folder(root);
    assert_int_equal(ht_running_in(""), 1);
}

/* Two threads where processors are left, or as many as others leave, and one
 * where these want nearly all. */
TEST(threads_leave_others_their_processors)
{
    static const struct {
        unsigned others, online, allowed, threads;
    } cases[] = {{0, 1, 1, 1},    {0, 2, 2, 2},    {1, 2, 2, 2},
                 {2, 2, 2, 1},    {0, 16, 16, 16}, {3, 16, 16, 13},
                 {13, 16, 16, 3}, {15, 16, 16, 1}, {99, 16, 16, 1},
                 {0, 16, 4, 4},   {16, 16, 4, 1},  {4, 16, 4, 4}};

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        case_is("%u others, %u of %u", cases[i].others, cases[i].allowed,
                cases[i].online);
        assert_int_equal(ht_threads_among(cases[i].others, cases[i].online,
                                          cases[i].allowed),
                         cases[i].threads);
    }
    assert_in_range(ht_default_threads(), 1, ht_processors());
}

/* A job alone has the engine's default until its reader hardly waits, and again
 * once it often does; jobs of one process divide the processors. */
TEST(jobs_share_the_processors)
{
    struct share share, other;

    share_begin(&share);
    assert_int_equal(share_threads(&share), 0);
    share_learn(&share, .050, .010);
    assert_int_equal(share_threads(&share), 0);
    assert_false(share_keeps_up(&share));
    share_learn(&share, .050, .005);
    assert_true(share_keeps_up(&share));
    assert_in_range(share_threads(&share), 1, 4);
    share_learn(&share, .050, .024);
    assert_in_range(share_threads(&share), 1, 4);
    share_learn(&share, .050, .026);
    assert_int_equal(share_threads(&share), 0);
    share_begin(&other);
    assert_in_range(share_threads(&share), 1, ht_processors() / 2 + 1);
    for (unsigned i = 1; i < ht_processors(); i++)
        share_begin(&other);
    assert_int_equal(share_threads(&share), 1);
    for (unsigned i = 1; i < ht_processors(); i++)
        share_end();
    share_end();
    assert_int_equal(share_threads(&share), 0);
    share_end();
}
