/* init.c — MPI_Init to MPI_Finalize (§8.7, §12.4.3). */
#include <stddef.h>
#include <stdio.h>
#include "mpi/attr/attr.h"
#include "mpi/comm/comm.h"
#include "mpi/dynamic/dynamic.h"
#include "mpi/errhan/errhan.h"
#include "mpi/info/info.h"
#include "mpi/init/init.h"
#include "platform/os.h"

enum { DEVICES_TEXT = 2000 };
static int provided_level;
static uint64_t main_thread;

/* The section of MPIR_NAME(). */
extern const char __start_mpi_names[] __attribute__((visibility("hidden")));
extern const char __stop_mpi_names[] __attribute__((visibility("hidden")));

/* For functions that may be called before MPI_Init, after MPI_Finalize or by any thread: they do
 * not use ENTER. */
static struct mpir_call unentered_call_begin(const char *name)
{
    if (mpir_is(ADI3_LOCKS))
        adi3_lock();
    return (struct mpir_call) { .name = name };
}

static int no_flag(const char *name, const int *flag)
{
    struct mpir_call call = unentered_call_begin(name);

    return mpir_fail(call, mpir_null("flag"), "flag", flag);
}

/* Whether a call can be answered at once. Any thread may make it beside a call of the program's one
 * thread, so it must neither lock nor write. */
static bool is_answerable_at_once(const void *result) { return !mpir_is(ADI3_DOWN) && result; }

/* A child made by fork() has the descriptors of the rank, but neither its place in the job nor its
 * threads. All its MPI calls fail, and take no lock: another thread may have held it during fork(),
 * and does not exist in the child. */
static void in_child(void)
{
    adi3_unshare_calls();
    if (mpir_is(ADI3_DOWN) && !mpir_finalized)
        return;
    mpir_forked = true;
    atomic_store(&adi3_state, ADI3_DOWN);
}

static void watch_forks(void)
{
    static bool watched;

    if (!watched)
        os_in_children(in_child);
    watched = true;
}

static void report_crashes(void)
{
    int rank, size;
    char text[DEVICES_TEXT];

    adi3_where(&rank, &size);
    (void) snprintf(text, sizeof text, "starling: rank %d of %d on %s: ", rank, size,
                    adi3_hostname());
    os_report_crashes(text);
}

static int library_start(struct mpir_call *call, int required)
{
    if (!mpir_is(ADI3_DOWN) || mpir_finalized || mpir_forked)
        return mpir_error(MPI_ERR_OTHER, "%s",
                          mpir_is(ADI3_DOWN) ? mpir_down_why() : "called a second time");
    adi3_current.call = call->name;
    int err = adi3_join();
    if (err)
        return err;
    adi3_share_calls(__start_mpi_names, (size_t) (__stop_mpi_names - __start_mpi_names));
    mpir_load_settings();
    if (mpir_backtrace)
        report_crashes();
    adi3_warn = mpir_warn;
    mpir_comm_init();
    adi3_type_ends = mpir_attributes_drop_of_type;
    mpir_info_env_begin(required);
    err = adi3_init(required == MPI_THREAD_MULTIPLE);
    if (err)
        return err;
    watch_forks();
    main_thread = os_thread_id();
    provided_level = required;
    atomic_store(&adi3_state, (mpir_checks ? 0 : MPIR_TRUSTS) | (adi3_locks ? ADI3_LOCKS : 0)
                                  | (adi3_check == ADI3_CHECK_STRICT ? MPIR_STRICT : 0));
    adi3_go_out();
    if (adi3_locks)
        adi3_lock();
    err = mpir_parent_connect();
    if (!err && adi3_locks)
        adi3_unlock();
    return err;
}

/* Initializes the MPI execution environment (§8.7). argc and argv may be NULL and are not changed.
 * The thread level is MPI_THREAD_SINGLE; MPI_Init_thread asks for another one. In a job that was
 * spawned it connects with the processes that have spawned it.
 * Errors: MPI_ERR_OTHER, when called twice or when the launcher cannot be joined; also, or
 * MPI_ERR_PORT, when the process that has spawned this one is gone. */
int PMPI_Init(int *argc, char ***argv)
{
    struct mpir_call call = unentered_call_begin(MPIR_NAME("MPI_Init"));
    int err = library_start(&call, MPI_THREAD_SINGLE);

    return err ? mpir_fail(call, err, "argc, argv", argc, argv) : MPI_SUCCESS;
}
MPIR_WEAK(Init);

/* Initializes the MPI execution environment for a program with threads (§12.4.3). provided is the
 * level that the program may rely on, which is the required one. argc and argv may be NULL and are
 * not changed.
 * Errors: as MPI_Init, and MPI_ERR_ARG for a required level that does not exist or a null
 * provided. */
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    struct mpir_call call = unentered_call_begin(MPIR_NAME("MPI_Init_thread"));
    int err = mpir_out_arg(provided, "provided");

    if (!err && (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE))
        err = mpir_error(MPI_ERR_ARG, "required %d is not a thread level", required);
    if (!err)
        err = library_start(&call, required);
    if (err)
        return mpir_fail(call, err, "argc, argv, required, provided", argc, argv, required,
                         provided);
    *provided = provided_level;
    return MPI_SUCCESS;
}
MPIR_WEAK(Init_thread);

/* Tests whether MPI_Init or MPI_Init_thread has been called (§8.7). Any thread may call it at any
 * time.
 * Errors: MPI_ERR_ARG. */
int PMPI_Initialized(int *flag)
{
    if (!flag)
        return no_flag("MPI_Initialized", flag);
    *flag = !mpir_is(ADI3_DOWN) || mpir_finalized || mpir_forked;
    return MPI_SUCCESS;
}
MPIR_WEAK(Initialized);

/* Tests whether MPI_Finalize has completed (§8.7). Any thread may call it at any time.
 * Errors: MPI_ERR_ARG. */
int PMPI_Finalized(int *flag)
{
    if (!flag)
        return no_flag("MPI_Finalized", flag);
    *flag = mpir_finalized;
    return MPI_SUCCESS;
}
MPIR_WEAK(Finalized);

/* Called before the finalize barrier, whose messages do not count as messages of the program. */
static void report_devices(void)
{
    char text[DEVICES_TEXT];

    if (adi3_devices_used(text, sizeof text))
        mpir_warn(text);
    if (adi3_wtime_report(text, sizeof text))
        mpir_warn(text);
}

/* Terminates the MPI execution environment (§8.7). Returns when all messages that this process has
 * sent are delivered and all processes have called it. The attributes of MPI_COMM_SELF are deleted
 * first, while MPI can still be used (§8.7.1), then those of MPI_COMM_WORLD. The thread that called
 * MPI_Init calls it.
 * Errors: MPI_ERR_OTHER when the launcher is lost; those of delete functions: then MPI is not
 * finalized. */
int PMPI_Finalize(void)
{
    ENTER("MPI_Finalize");

    TRY(mpir_attributes_delete(mpir_comm_attr_holder(&adi3_self)));
    TRY(mpir_attributes_delete(mpir_comm_attr_holder(&adi3_world)));
    report_devices();
    mpir_parent_free();
    mpir_list_program_leaks();
    TRY(adi3_finalize());
    mpir_list_unreceived();
    mpir_report_sleeps();
    mpir_info_env_end();
    mpir_user_codes_free();
    (void) mpir_leave(&call);
    mpir_finalized = true;
    atomic_store(&adi3_state, ADI3_DOWN);
    mpir_list_library_leaks();
    return MPI_SUCCESS;
}
MPIR_WEAK(Finalize);

/* Returns the level of thread support that MPI_Init or MPI_Init_thread provided (§12.4.3).
 * Errors: MPI_ERR_ARG. */
int PMPI_Query_thread(int *provided)
{
    if (is_answerable_at_once(provided)) {
        *provided = provided_level;
        return MPI_SUCCESS;
    }
    ENTER("MPI_Query_thread", provided);

    TRY(mpir_null("provided"));
    return mpir_leave(&call);
}
MPIR_WEAK(Query_thread);

/* Tests whether the calling thread is the one that initialized MPI (§12.4.3).
 * Errors: MPI_ERR_ARG. */
int PMPI_Is_thread_main(int *flag)
{
    if (is_answerable_at_once(flag)) {
        *flag = os_thread_id() == main_thread;
        return MPI_SUCCESS;
    }
    ENTER("MPI_Is_thread_main", flag);

    TRY(mpir_null("flag"));
    return mpir_leave(&call);
}
MPIR_WEAK(Is_thread_main);

/* Terminates the MPI execution environment of all processes that are connected with those of comm,
 * whether they are in comm or not (§8.7). mpiexec ends with errorcode. Does not return.
 * Errors: MPI_ERR_COMM. */
int PMPI_Abort(MPI_Comm comm, int errorcode)
{
    ENTER("MPI_Abort", comm, errorcode);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    mpir_warn_aborted(errorcode);
    adi3_abort(errorcode, NULL);
}
MPIR_WEAK(Abort);
