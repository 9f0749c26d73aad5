/* pmix_test.c — the client of launchers that speak PMIx, with a libpmix.so.2 that does what the
 * test says. The test is run with the folder of that library in LD_LIBRARY_PATH.
 *
 * pmix_test          all
 * pmix_test WORD     the library cannot be used, and the error text has WORD */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "fake_pmix.h"
#include "pm/pmi/pmi_impl.h"
#include "pm/pmi/pmix_impl.h"

static struct fake_pmix *fake;

static struct pmix_abi_value number(uint32_t n)
{
    return (struct pmix_abi_value) { .type = PMIX_ABI_UINT32, .data.uint32 = n };
}

static int clean(void **state)
{
    static const char *const names[] = { "PMI_FD",    "PMI_PORT",     "PMI_ID",
                                         "PMI_RANK",  "PMI_SIZE",     "OMPI_COMM_WORLD_SIZE",
                                         "PMIX_RANK", "SLURM_PROCID", "JSM_NAMESPACE_SIZE" };

    (void) state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    setenv("PMIX_NAMESPACE", "fake.job.1", 1);
    setenv("PMIX_RANK", "2", 1);
    if (pmi_client.fd >= 0)
        close(pmi_client.fd);
    pmi_client = (struct pmi_client) { .fd = -1 };
    if (fake)
        *fake = (struct fake_pmix) { .rank = 2, .job_size = number(4) };
    return 0;
}

static void join(void)
{
    struct pmi_job job;

    assert_int_equal(pmi_init(&job), 0);
}

static void joins(void **state)
{
    struct pmi_job job;

    (void) state;
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    pmi_job_from_environment(&job);
    assert_true(job.rank == 2 && job.size == 4);
    assert_int_equal(pmi_init(&job), 0);
    assert_true(job.rank == 2 && job.size == 4 && !job.singleton);
    assert_string_equal(job.name, "fake.job.1");
    assert_true(fake->signals_blocked);
    assert_null(getenv("PMIX_NAMESPACE"));
    assert_null(getenv("PMIX_RANK"));
    assert_int_equal(pmi_init(&job), -EALREADY);
    assert_int_equal(pmi_finalize(), 0);
    assert_true(fake->finalized);
    assert_int_equal(pmi_barrier_start(), -ENOTCONN);
    assert_int_equal(pmi_appnum(&job.size), -ENOTCONN);
}

/* A job whose launcher cannot be joined is never taken for a singleton. */
static void refuses_bad_jobs(void **state)
{
    static const struct {
        int init;
        uint32_t rank;
        struct pmix_abi_value size;
        int err;
        const char *word;
    } cases[] = {
        { -25, 0, { .type = PMIX_ABI_UINT32, .data.uint32 = 4 }, -ECONNREFUSED, "fake.job.1" },
        { 0, 4, { .type = PMIX_ABI_UINT32, .data.uint32 = 4 }, -EINVAL, "rank 4 of 4" },
        { 0, UINT32_MAX, { .type = PMIX_ABI_UINT32, .data.uint32 = 4 }, -EINVAL, "of 4" },
        { 0, 0, { .type = PMIX_ABI_UINT32, .data.uint32 = 0 }, -EINVAL, "rank 0 of 0" },
        { 0, 0, { .type = 0 }, -ENOENT, "pmix.job.size" },
        { 0, 0, { .type = PMIX_ABI_INT, .data.uint32 = UINT32_MAX }, -ENOENT, "no number" },
        { 0, 0, { .type = PMIX_ABI_UINT64, .data.uint64 = 1ull << 32 }, -ENOENT, "no number" },
        { 0, 0, { .type = PMIX_ABI_STRING, .data.string = "4" }, -ENOENT, "no number" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pmi_job job;
        clean(state);
        fake->init = cases[i].init;
        fake->rank = cases[i].rank;
        fake->job_size = cases[i].size;
        int err = pmi_init(&job);
        if (err != cases[i].err || !strstr(pmi_error_text(), cases[i].word))
            fail_msg("case %zu gave %d: %s", i, err, pmi_error_text());
        assert_true(!job.singleton && fake->finalized == !cases[i].init);
        assert_non_null(getenv("PMIX_NAMESPACE"));
    }
}

static void numbers_of_any_type(void **state)
{
    static const struct pmix_abi_value four[] = {
        { .type = PMIX_ABI_INT, .data.uint32 = 4 },
        { .type = PMIX_ABI_UINT, .data.uint32 = 4 },
        { .type = PMIX_ABI_INT32, .data.uint32 = 4 },
        { .type = PMIX_ABI_INT64, .data.uint64 = 4 },
        { .type = PMIX_ABI_UINT16, .data.uint16 = 4 },
        { .type = PMIX_ABI_SIZE, .data.size = 4 },
        { .type = PMIX_ABI_UINT64, .data.uint64 = 4 },
        { .type = PMIX_ABI_PROC_RANK, .data.uint32 = 4 }
    };
    int n;

    (void) state;
    join();
    assert_int_equal(pmi_appnum(&n), -ENOENT);
    assert_int_equal(pmi_universe_size(&n), -ENOENT);
    for (size_t i = 0; i < sizeof four / sizeof *four; i++) {
        n = 0;
        fake->appnum = fake->universe = four[i];
        assert_int_equal(pmi_appnum(&n), 0);
        assert_true(n == 4 && fake->asked.rank == 2);
        n = 0;
        assert_int_equal(pmi_universe_size(&n), 0);
        assert_true(n == 4 && fake->asked.rank == PMIX_ABI_WILDCARD);
    }
}

static void values(void **state)
{
    static char text[8001], long_text[8001];

    (void) state;
    join();
    memset(long_text, 'x', sizeof long_text - 1);
    assert_int_equal(pmi_put("card-2", long_text), 0);
    assert_string_equal(fake->key, "card-2");
    assert_int_equal(fake->scope, PMIX_ABI_GLOBAL);
    assert_string_equal(fake->value, long_text);
    assert_int_equal(pmi_put("a b", "x"), -EINVAL);
    assert_int_equal(pmi_put("k", "a b"), -EINVAL);
    fake->put = -1;
    assert_int_equal(pmi_put("k", "x"), -EPROTO);

    fake->text = (struct pmix_abi_value) { .type = PMIX_ABI_STRING, .data.string = long_text };
    assert_int_equal(pmi_get(3, "card-3", text, sizeof text), 0);
    assert_string_equal(text, long_text);
    assert_true(fake->asked.rank == 3 && fake->immediate);
    assert_int_equal(pmi_get(3, "card-3", text, sizeof text - 1), -EMSGSIZE);
    fake->text = number(3);
    assert_int_equal(pmi_get(3, "card-3", text, sizeof text), -EPROTO);
    fake->text.type = 0;
    assert_int_equal(pmi_get(3, "card-3", text, sizeof text), -ENOENT);
    assert_non_null(strstr(pmi_error_text(), "rank 3"));
}

static bool readable(void)
{
    struct pollfd p = { .fd = pmi_fd(), .events = POLLIN };

    return poll(&p, 1, 0) == 1;
}

static void barriers(void **state)
{
    (void) state;
    join();
    fake->fence_waits = true;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pmi_barrier_start(), 0);
        assert_true(fake->collects && !readable());
        fake->fence_done(0, NULL);
        assert_true(readable());
        assert_int_equal(pmi_barrier_finish(), 0);
        assert_false(readable());
    }
    fake->fence = PMIX_ABI_OPERATION_SUCCEEDED;
    assert_int_equal(pmi_barrier_start(), 0);
    assert_true(readable());
    assert_int_equal(pmi_barrier_finish(), 0);
}

/* After a barrier that has failed, no other is entered: its end might never come. */
static void failed_barriers(void **state)
{
    join();
    fake->fence_result = PMIX_ABI_PARTIAL_SUCCESS;
    assert_int_equal(pmi_barrier_start(), 0);
    assert_int_equal(pmi_barrier_finish(), -ECONNRESET);
    assert_non_null(strstr(pmi_error_text(), "a process of the job has ended"));
    fake->fence_result = 0;
    assert_int_equal(pmi_barrier_start(), -ECONNRESET);

    clean(state);
    join();
    fake->fence = -25;
    assert_int_equal(pmi_barrier_start(), -ECONNRESET);
    clean(state);
    join();
    fake->commit = -25;
    assert_int_equal(pmi_barrier_start(), -ECONNRESET);
}

/* What libpmix gets, which stays until the end; and the end, while a barrier is under way. */
static void spawns(void **state)
{
    char *const args[] = { "-n", "a b", NULL };
    const struct pmi_pair info[] = { { "soft", "1:2" }, { "host", "n1" }, { "wdir", "/w" } },
                          preput = { "port", "x" };
    const struct pmi_spawn_program programs[] = { { "first", args, 2, info, 3 },
                                                  { .command = "second", .count = 1 } };
    const struct pmi_spawn_request r = { programs, 2, &preput, 1 };
    struct pmi_spawn *s;
    int codes[3] = { -1, -1, -1 };

    (void) state;
    join();
    assert_int_equal(pmi_spawn_start(&r, &s), 0);
    assert_true(fake->app_count == 2 && !readable() && !pmi_spawn_over(s));
    const struct pmix_abi_app *app = fake->apps;
    assert_string_equal(app->command, "first");
    assert_string_equal(app->argv[0], "first");
    assert_string_equal(app->argv[2], "a b");
    assert_null(app->argv[3]);
    assert_string_equal(app->env[0], "PMI_PREPUT_port=x");
    assert_true(!app->env[1] && !app->cwd && app->count == 2 && app->infos == 2);
    assert_string_equal(app->info[0].key, "pmix.host");
    assert_string_equal(app->info[0].value.data.string, "n1");
    assert_string_equal(app->info[1].key, "pmix.wdir");
    assert_int_equal(app->info[1].value.type, PMIX_ABI_STRING);
    assert_true(!app[1].argv[1] && app[1].count == 1 && !app[1].infos);

    fake->fence_waits = true;
    assert_int_equal(pmi_barrier_start(), 0);
    fake->spawned(0, "job", fake->spawned_arg);
    assert_true(readable() && !pmi_barrier_over() && pmi_spawn_over(s));
    fake->fence_done(0, NULL);
    assert_true(pmi_barrier_over());
    assert_int_equal(pmi_spawn_finish(s, codes), 0);
    assert_true(!codes[0] && !codes[1] && !codes[2] && readable());
    assert_int_equal(pmi_barrier_finish(), 0);
    assert_false(readable());
}

static void failed_spawns(void **state)
{
    const struct pmi_spawn_program program = { .command = "first", .count = 1 };
    const struct pmi_spawn_request r = { .program = &program, .programs = 1 };
    struct pmi_spawn *s;
    char value[8];
    int code;

    (void) state;
    join();
    for (int i = 0; i < 2; i++) {
        fake->spawn = i ? -46 : 0;
        assert_int_equal(pmi_spawn_start(&r, &s), 0);
        if (!i)
            fake->spawned(-46, NULL, fake->spawned_arg);
        assert_true(readable() && pmi_spawn_over(s));
        assert_int_equal(pmi_spawn_finish(s, &code), -ECANCELED);
        assert_non_null(strstr(pmi_error_text(), "did not start processes: NOT-FOUND"));
        assert_false(readable());
    }
    assert_int_equal(pmi_preput("port", value, sizeof value), -ENOENT);
    setenv("PMI_PREPUT_port", "x#1", 1);
    assert_int_equal(pmi_preput("port", value, 3), -EMSGSIZE);
    assert_int_equal(pmi_preput("port", value, sizeof value), 0);
    assert_string_equal(value, "x#1");
    assert_null(getenv("PMI_PREPUT_port"));
}

static void names(void **state)
{
    char port[16] = "";

    (void) state;
    assert_int_equal(pmi_publish("s", "p"), -ENOTCONN);
    join();
    assert_int_equal(pmi_lookup("a b%", port, sizeof port), -ENOENT);
    assert_non_null(strstr(pmi_error_text(), "NOT-FOUND"));
    assert_int_equal(pmi_publish("a b%", "port of it"), 0);
    assert_string_equal(fake->service, "a b%");
    assert_int_equal(pmi_lookup("a b%", port, sizeof port), 0);
    assert_string_equal(port, "port of it");
    assert_int_equal(pmi_lookup("a b%", port, strlen("port of it")), -EMSGSIZE);
    assert_int_equal(pmi_publish("a b%", "again"), -EEXIST);
    assert_int_equal(pmi_unpublish("other"), -ENOENT);
    strcpy(fake->publisher, "fake.job.2");
    assert_int_equal(pmi_unpublish("a b%"), -ENOENT);
    assert_non_null(strstr(pmi_error_text(), "another job has published it: fake.job.2"));
    strcpy(fake->publisher, "fake.job.1");
    fake->publisher_rank = 1;
    assert_int_equal(pmi_unpublish("a b%"), -ENOENT);
    fake->publisher_rank = 2;
    assert_int_equal(pmi_unpublish("a b%"), 0);
    assert_string_equal(fake->service, "");
    fake->publish = -1;
    assert_int_equal(pmi_publish("t", "p"), -EEXIST);
    assert_int_equal(pmi_publish("", "p"), -EINVAL);
}

static void tells_the_next_program(void **state)
{
    (void) state;
    assert_int_equal(pmi_tell_next(), -ENOTCONN);
    assert_false(pmi_was_told());
    join();
    assert_false(pmi_was_told());
    assert_true(fake->asked.rank == 2 && fake->immediate && !fake->committed);
    assert_int_equal(fake->scope, PMIX_ABI_REMOTE);
    assert_int_equal(pmi_tell_next(), 0);
    assert_true(fake->committed && *fake->key && fake->scope == PMIX_ABI_REMOTE);
    fake->text = (struct pmix_abi_value) { .type = PMIX_ABI_STRING, .data.string = fake->value };
    assert_true(pmi_was_told());
    fake->put = -1;
    assert_int_equal(pmi_tell_next(), -EPROTO);
    fake->put = 0;
    fake->commit = -1;
    assert_int_equal(pmi_tell_next(), -EPROTO);
}

static void handled(int status, struct pmix_abi_info *results, size_t n, pmix_abi_done *done,
                    void *done_arg, void *arg)
{
    (void) status, (void) results, (void) n, (void) done, (void) done_arg;
    *(bool *) arg = true;
}

/* The signal that ends a process which joins, leaves if told to, and loses its launcher then. */
static int signal_when_lost(bool leaves)
{
    pid_t child = fork();
    bool returned = false;
    int status;

    if (!child) {
        join();
        if (leaves)
            (void) pmi_finalize();
        fake->event(1, PMIX_ABI_LOST_CONNECTION, NULL, NULL, 0, NULL, 0, handled, &returned);
        _exit(!returned);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) ? -1 : 0;
}

static void ends_with_its_launcher(void **state)
{
    (void) state;
    join();
    assert_int_equal(fake->events, 2);
    assert_true(fake->codes[0] == -61 && fake->codes[1] == -101);
    clean(state);
    assert_int_equal(signal_when_lost(false), SIGKILL);
    assert_int_equal(signal_when_lost(true), 0);
}

static void aborts(void **state)
{
    (void) state;
    fake->abort = -1; /* else it waits to be killed */
    pmi_abort(7, "x");
    assert_int_equal(fake->exit_code, 0); /* it has not joined */
    join();
    pmi_abort(7, "because");
    assert_int_equal(fake->exit_code, 7);
    assert_string_equal(fake->why, "because");
}

static void is_not_starlings(void **state)
{
    char text[64];
    int fd;

    (void) state;
    join();
    assert_int_equal(pmi_settings(text, sizeof text), -ENOENT);
    assert_int_equal(pmi_program(text, sizeof text), -ENOENT);
    assert_int_equal(pmi_memory(1, &fd), -ENOENT);
}

/* PMI_FD is of the next launcher, PMIX_NAMESPACE of one around it, which has started mpiexec. */
static void next_launcher_wins(void **state)
{
    struct pmi_job job;

    (void) state;
    setenv("PMI_FD", "999", 1);
    setenv("PMI_RANK", "0", 1);
    setenv("PMI_SIZE", "1", 1);
    assert_int_equal(pmi_init(&job), -EBADF);
    pmi_job_from_environment(&job);
    assert_true(job.rank == 0 && job.size == 1);
}

/* ---- libraries that cannot be used ----------------------------------------------------------- */

static char *word;

/* One process needs no launcher. Of several, each would believe to be rank 0 of 1. */
static void names_the_library(void **state)
{
    struct pmi_job job;

    assert_int_equal(pmi_init(&job), -ELIBACC);
    if (!strstr(pmi_error_text(), word) || !strstr(pmi_error_text(), "PMIX_NAMESPACE=fake.job.1")
        || !strstr(pmi_error_text(), "libpmix.so.2"))
        fail_msg("%s", pmi_error_text());
    assert_false(job.singleton);
    setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    assert_int_equal(pmi_init(&job), -ELIBACC);
    clean(state);
    setenv("OMPI_COMM_WORLD_SIZE", "1", 1);
    assert_int_equal(pmi_init(&job), 0);
    assert_true(job.singleton);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(joins, clean),
        cmocka_unit_test_setup(refuses_bad_jobs, clean),
        cmocka_unit_test_setup(numbers_of_any_type, clean),
        cmocka_unit_test_setup(values, clean),
        cmocka_unit_test_setup(barriers, clean),
        cmocka_unit_test_setup(failed_barriers, clean),
        cmocka_unit_test_setup(spawns, clean),
        cmocka_unit_test_setup(failed_spawns, clean),
        cmocka_unit_test_setup(names, clean),
        cmocka_unit_test_setup(tells_the_next_program, clean),
        cmocka_unit_test_setup(ends_with_its_launcher, clean),
        cmocka_unit_test_setup(aborts, clean),
        cmocka_unit_test_setup(is_not_starlings, clean),
        cmocka_unit_test_setup(next_launcher_wins, clean),
    };
    const struct CMUnitTest unusable[] = { cmocka_unit_test_setup(names_the_library, clean) };

    if (argc > 1) {
        word = argv[1];
        return cmocka_run_group_tests(unusable, NULL, NULL);
    }
    void *library = dlopen("libpmix.so.2", RTLD_NOW | RTLD_LOCAL);
    fake = library ? dlsym(library, "fake_pmix") : NULL;
    if (!fake) {
        (void) fprintf(stderr, "LD_LIBRARY_PATH does not lead to the libpmix.so.2 of this test\n");
        return 1;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
