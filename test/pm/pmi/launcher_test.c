/* launcher_test.c — the PMI client finds in the environment which launcher started the process. */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "pm/pmi/pmi_impl.h"

static void clean_environment(void)
{
    static const char *const names[] = {
        "PMI_FD",
        "PMI_PORT",
        "PMI_ID",
        "PMI_RANK",
        "PMI_SIZE",
        "PMIX_NAMESPACE",
        "PMIX_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_NODE_RANK",
        "MPI_LOCALNRANKS",
        "SLURM_PROCID",
        "SLURM_STEP_ID",
        "SLURM_STEP_NUM_TASKS",
        "JSM_NAMESPACE_SIZE",
        "MPIRUN_NPROCS",
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
    pmi_client = (struct pmi_client) { .fd = -1 };
}

/* pmi_init with only these variables, "A=1 B=2", in the environment. */
static int init_in(const char *environment, bool *singleton)
{
    char text[256], *save = NULL;
    struct pmi_job job = { 0 };

    clean_environment();
    snprintf(text, sizeof text, "%s", environment);
    for (char *s = strtok_r(text, " ", &save); s; s = strtok_r(NULL, " ", &save)) {
        char *equals = strchr(s, '=');
        *equals = '\0';
        setenv(s, equals + 1, 1);
    }
    int err = pmi_init(&job);
    *singleton = job.singleton;
    return err;
}

static void knows_launchers(void **state)
{
    static const struct {
        const char *environment;
        int err;
        const char *word; /* in the text */
    } cases[] = {
        { "", 0, NULL },
        { "PMI_FD= PMI_RANK=1 PMI_SIZE=2", 0, NULL },
        { "PMI_RANK=1 PMI_SIZE=2", 0, NULL },
        { "PMI_FD=999 PMI_RANK=0 PMI_SIZE=1", -EBADF, "not an open socket" },
        { "PMI_FD=999", -EINVAL, "PMI_RANK" },
        { "PMI_FD=x PMI_RANK=0 PMI_SIZE=1", -EINVAL, "PMI_FD=x" },
        { "PMI_FD=-1 PMI_RANK=0 PMI_SIZE=1", -EINVAL, "PMI_FD=-1" },
        { "PMI_FD=0 PMI_RANK=0", -EINVAL, "PMI_SIZE" },
        { "PMI_PORT=nowhere PMI_ID=0", -EINVAL, "host:port" },
        { "PMI_PORT=127.0.0.1:1", -EINVAL, "PMI_ID" },
        { "PMI_PORT=127.0.0.1:1 PMI_ID=0", -ECONNREFUSED, "127.0.0.1:1" },
        { "OMPI_COMM_WORLD_SIZE=1", 0, NULL },
        { "OMPI_COMM_WORLD_SIZE=2", -ENOTSUP, "Open MPI" },
        { "OMPI_COMM_WORLD_SIZE=2 MPI_LOCALNRANKS=2", 0, NULL }, /* below our mpiexec */
        { "OMPI_COMM_WORLD_SIZE=2 MPI_LOCALNRANKS=2 OMPI_COMM_WORLD_NODE_RANK=1", -ENOTSUP,
          "Open MPI" },
        { "PMIX_RANK=0", -ENOTSUP, "PMIX_NAMESPACE" },
        { "SLURM_PROCID=0", 0, NULL },
        { "SLURM_PROCID=0 SLURM_STEP_ID=4294967291 SLURM_STEP_NUM_TASKS=4", 0, NULL },
        { "SLURM_PROCID=0 SLURM_STEP_ID=batch SLURM_STEP_NUM_TASKS=4", 0, NULL },
        { "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=1", 0, NULL },
        { "SLURM_PROCID=0 SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=4", -ENOTSUP, "--mpi=pmi2" },
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool singleton;
        int err = init_in(cases[i].environment, &singleton);
        if (err != cases[i].err || singleton != !err)
            fail_msg("'%s' gave %d", cases[i].environment, err);
        if (cases[i].word && !strstr(pmi_error_text(), cases[i].word))
            fail_msg("'%s' gave '%s'", cases[i].environment, pmi_error_text());
    }
    assert_int_equal(pmi_barrier_start(), -ENOTCONN);
}

/* PMI_PORT may have the name that gethostname() returns, also when no resolver knows it. */
static void own_name_is_not_known(void **state)
{
    static const char name[] = "unknown-name.invalid";
    char environment[128];
    bool singleton;

    (void) state;
    if (unshare(CLONE_NEWUTS) || sethostname(name, strlen(name))) {
        (void) fprintf(stderr, "skipped: no permission to set the host name\n");
        skip();
    }
    (void) snprintf(environment, sizeof environment, "PMI_PORT=%s:1 PMI_ID=0", name);
    assert_int_equal(init_in(environment, &singleton), -ECONNREFUSED);
    assert_int_equal(init_in("PMI_PORT=another.invalid:1 PMI_ID=0", &singleton), -EHOSTUNREACH);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(knows_launchers),
                                        cmocka_unit_test(own_name_is_not_known) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
