/* init.c — MPI_Init to MPI_Finalize (§8.7, §12.4.3). */
#include <stddef.h>
#include <unistd.h>
#include "attr/attr.h"
#include "comm/comm.h"
#include "errhan/errhan.h"
#include "info/info.h"
#include "init/init.h"
#include "os.h"

enum { DEVICES_TEXT = 2000 };
static int provided_level;
static uint64_t main_thread;

/* The functions here that may be called while MPI is down, or by any thread, do not ENTER. */
static struct mpir_call begin(const char *name)
{
    if (mpir_is(MPIR_LOCKS))
        adi3_lock();
    return (struct mpir_call) { .name = name };
}

/* A child made by fork() has the rank's descriptors, but neither its place in the job nor its
 * threads: whatever it calls fails, without a lock that somebody else may hold here for ever. */
static void in_child(void)
{
    if (mpir_is(MPIR_DOWN) && !mpir_finalized)
        return;
    mpir_forked = true;
    mpir_state = MPIR_DOWN;
}

static void watch_forks(void)
{
    static bool watched;

    if (!watched)
        os_in_children(in_child);
    watched = true;
}

static int start(struct mpir_call *call, int required)
{
    if (!mpir_is(MPIR_DOWN) || mpir_finalized || mpir_forked)
        return mpir_error(MPI_ERR_OTHER, "%s",
                          mpir_is(MPIR_DOWN) ? mpir_down_why() : "called a second time");
    adi3_call = call->name;
    int err = adi3_join();
    if (err)
        return err;
    mpir_load_settings();
    adi3_warn = mpir_warn;
    mpir_comm_init();
    adi3_type_ends = mpir_attributes_drop_of_type;
    mpir_info_env_begin(required);
    if ((err = adi3_init(required == MPI_THREAD_MULTIPLE)))
        return err;
    watch_forks();
    main_thread = os_thread_id();
    provided_level = required;
    mpir_state = (mpir_checks ? 0 : MPIR_TRUSTS) | (adi3_threads ? MPIR_LOCKS : 0)
                 | (adi3_check == ADI3_CHECK_STRICT ? MPIR_STRICT : 0);
    return MPI_SUCCESS;
}

/* Starts MPI; argc and argv may be NULL and are left as they are (§8.7). As MPI_Init_thread with
 * MPI_THREAD_SINGLE. Errors: MPI_ERR_OTHER, when called twice or when the launcher cannot be
 * joined. */
int PMPI_Init(int *argc, char ***argv)
{
    struct mpir_call call = begin("MPI_Init");
    int err = start(&call, MPI_THREAD_SINGLE);

    return err ? mpir_fail(call, err, "argc, argv", argc, argv) : MPI_SUCCESS;
}
MPIR_WEAK(Init);

/* Starts MPI for a program with threads (§12.4.3); provided is the level it may rely on, which is
 * the one required. Errors: as MPI_Init, and MPI_ERR_ARG for a required level that does not
 * exist or a null provided. */
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    struct mpir_call call = begin("MPI_Init_thread");
    int err = mpir_out_arg(provided, "provided");

    if (!err && (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE))
        err = mpir_error(MPI_ERR_ARG, "required %d is not a thread level", required);
    if (!err)
        err = start(&call, required);
    if (err)
        return mpir_fail(call, err, "argc, argv, required, provided", argc, argv, required,
                         provided);
    *provided = provided_level;
    return MPI_SUCCESS;
}
MPIR_WEAK(Init_thread);

/* Tells whether MPI_Init has been called (§8.7), at any time and from any thread.
 * Errors: MPI_ERR_ARG. */
int PMPI_Initialized(int *flag)
{
    struct mpir_call call = begin("MPI_Initialized");
    int err = mpir_out_arg(flag, "flag");

    if (err)
        return mpir_fail(call, err, "flag", flag);
    *flag = !mpir_is(MPIR_DOWN) || mpir_finalized || mpir_forked;
    return mpir_leave(&call);
}
MPIR_WEAK(Initialized);

/* Tells whether MPI_Finalize has been called (§8.7), at any time and from any thread.
 * Errors: MPI_ERR_ARG. */
int PMPI_Finalized(int *flag)
{
    struct mpir_call call = begin("MPI_Finalized");
    int err = mpir_out_arg(flag, "flag");

    if (err)
        return mpir_fail(call, err, "flag", flag);
    *flag = mpir_finalized;
    return mpir_leave(&call);
}
MPIR_WEAK(Finalized);

/* Before the processes meet to end, which is talk that the program did not ask for. */
static void tell_devices(void)
{
    char text[DEVICES_TEXT];

    if (adi3_devices_used(text, sizeof text))
        mpir_warn(text);
    if (adi3_wtime_report(text, sizeof text))
        mpir_warn(text);
}

/* Ends MPI (§8.7), when all that this process has sent is delivered and all others have come here.
 * First of all the attributes of MPI_COMM_SELF are deleted, while MPI can still be used (§8.7.1),
 * and then those of MPI_COMM_WORLD.
 * Errors: MPI_ERR_OTHER when the launcher is lost; those of delete functions: then MPI goes on. */
int PMPI_Finalize(void)
{
    ENTER("MPI_Finalize");

    TRY(mpir_attributes_delete(mpir_comm_attr_holder(&adi3_self)));
    TRY(mpir_attributes_delete(mpir_comm_attr_holder(&adi3_world)));
    tell_devices();
    mpir_list_program_leaks();
    TRY(adi3_finalize());
    mpir_report_sleeps();
    mpir_info_env_end();
    mpir_user_codes_free();
    int err = mpir_leave(&call);
    mpir_finalized = true;
    mpir_state = MPIR_DOWN;
    mpir_list_library_leaks();
    return err;
}
MPIR_WEAK(Finalize);

/* Gives the thread level that MPI_Init or MPI_Init_thread provided (§12.4.3). Errors:
 * MPI_ERR_ARG. */
int PMPI_Query_thread(int *provided)
{
    ENTER("MPI_Query_thread", provided);

    TRY(mpir_out_arg(provided, "provided"));
    *provided = provided_level;
    return mpir_leave(&call);
}
MPIR_WEAK(Query_thread);

/* Tells whether this thread called MPI_Init (§12.4.3). Errors: MPI_ERR_ARG. */
int PMPI_Is_thread_main(int *flag)
{
    ENTER("MPI_Is_thread_main", flag);

    TRY(mpir_out_arg(flag, "flag"));
    *flag = os_thread_id() == main_thread;
    return mpir_leave(&call);
}
MPIR_WEAK(Is_thread_main);

/* Ends the job: all processes that are connected with comm's, whether they are in it or not (§8.7).
 * mpiexec ends with errorcode. Does not return. Errors: MPI_ERR_COMM. */
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    ENTER("MPI_Abort", comm, errorcode);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    adi3_abort(errorcode, NULL);
}
MPIR_WEAK(Abort);
