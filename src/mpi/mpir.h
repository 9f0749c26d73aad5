/* mpir.h — what every file of src/mpi needs: begin and end of a call, arguments, handles,
 * errors. */
#ifndef MPIR_H
#define MPIR_H

#include "adi3/adi3.h"

/* A call in progress: its name for messages, and the object whose error handler gets them. */
struct mpir_call {
    const char *name;
    struct adi3_comm *comm; /* NULL until a valid communicator is seen: then MPI_COMM_WORLD's */
};

enum mpir_state { /* the bits of adi3_state that are set here */
                  MPIR_TRUSTS =
                      ADI3_STATES, /* STARLING_ERROR_CHECKS=no: arguments are not checked */
                  MPIR_STRICT = ADI3_STATES * 2, /* STARLING_CHECK=strict: buffers are checked */
};

static inline bool mpir_is(uint32_t states) { return adi3_is(states); }

/* Constant false when configured with -DSTARLING_ERROR_CHECKS=OFF: then no check is compiled. */
static inline bool mpir_checking(void)
{
    return STARLING_ERROR_CHECKS && __builtin_expect(!mpir_is(MPIR_TRUSTS), 1);
}

/* mpir_enter_slowly() is called at the beginning of a function, whose arguments are in registers.
 * When the compiler can make it preserve all registers, its callers need not save the arguments
 * first (8 to 14 instructions). No argument is in a floating-point register. */
#if defined(__x86_64__) && defined(__clang__)
#define MPIR_PRESERVES_REGISTERS __attribute__((preserve_most))
#elif defined(__x86_64__)
#define MPIR_PRESERVES_REGISTERS                                                                   \
    __attribute__((no_caller_saved_registers, target("general-regs-only")))
#else
#define MPIR_PRESERVES_REGISTERS
#endif

/* The name of an MPI function, for mpir_enter() and the like. These names have a section of their
 * own, which MPI_Init copies for mpiexec: adi3_share_calls(). */
#define MPIR_NAME(text)                                                                            \
    __extension__({                                                                                \
        static const char name_[] __attribute__((section("mpi_names"))) = text;                    \
        name_;                                                                                     \
    })

/* Takes the lock when there are threads. Before MPI_Init and after MPI_Finalize it ends the process
 * with an error text. */
MPIR_PRESERVES_REGISTERS void mpir_enter_slowly(const char *name) __attribute__((cold));

static inline struct mpir_call mpir_enter(const char *name)
{
    adi3_go_in();
    if (__builtin_expect(mpir_is(ADI3_DOWN | ADI3_LOCKS | ADI3_SERVED), 0))
        mpir_enter_slowly(name);
    adi3_current.call = name;
    return (struct mpir_call) { .name = name };
}

/* Releases the lock; returns MPI_SUCCESS. */
static inline int mpir_leave(struct mpir_call *call)
{
    (void) call;
    if (__builtin_expect(mpir_is(ADI3_LOCKS), 0))
        adi3_unlock();
    else
        adi3_go_out();
    return MPI_SUCCESS;
}

/* Calls the error handler with err and releases the lock; returns the code that the MPI function
 * returns. names: "buf, count, ...", then the values. */
int mpir_fail(struct mpir_call call, int err, const char *names, ...) __attribute__((cold));

/* Begins an MPI function: its name and all its parameters, as in mpi.h, or a macro that lists them.
 * A failed TRY jumps to the cold call of mpir_fail() below. core/show.c prints the values by the
 * types in mpi.h, so no function needs a formatter. The successful path has no instruction for it.
 * This goto is the only one, and stays in the macro. */
#define ENTER(name, ...)                                                                           \
    struct mpir_call call = mpir_enter(MPIR_NAME(name));                                           \
    int err_ = MPI_SUCCESS;                                                                        \
    if (0) {                                                                                       \
    failed_:                                                                                       \
        __attribute__((unused)) return mpir_fail(call, err_, MPIR_NAMES(__VA_ARGS__),              \
                                                 ##__VA_ARGS__);                                   \
    }
#define MPIR_NAMES(...) #__VA_ARGS__

/* Ends the MPI function with the error of expr, when it is one. */
#define TRY(expr)                                                                                  \
    do {                                                                                           \
        if (__builtin_expect((err_ = (expr)), 0))                                                  \
            goto failed_;                                                                          \
    } while (0)

/* Makes an error code of a class, with the text that MPI_Error_string gives. */
#define mpir_error(errclass, ...) adi3_error(errclass, __VA_ARGS__)

/* One function for each kind of argument; each returns MPI_SUCCESS or an error code. The object is
 * set whether arguments are checked or not. Functions that every message calls are inline here; the
 * others, and all error cases, are in core/args.c. */
struct adi3_comm *mpir_other_comm(MPI_Comm h); /* not for MPI_COMM_WORLD; NULL: no valid handle */
struct adi3_type *mpir_other_type(MPI_Datatype h);
int mpir_wrong_comm(MPI_Comm h) __attribute__((cold));
int mpir_wrong_type(MPI_Datatype h) __attribute__((cold));
int mpir_wrong_data(struct adi3_data d) __attribute__((cold));
int mpir_wrong_rank(const struct adi3_comm *c, int rank, const char *what) __attribute__((cold));
const char *mpir_rank_name(int rank); /* " (MPI_ANY_SOURCE)" and the like; "" of others */
int mpir_wrong_tag(int tag) __attribute__((cold));
int mpir_wrong_recv_tag(int tag) __attribute__((cold));
int mpir_null(const char *what) __attribute__((cold));

static inline struct adi3_comm *mpir_pool_comm(MPI_Comm h)
{
    struct adi3_comm *c = adi3_get(&adi3_comms, h);

    return c && c->closed == ADI3_OPEN ? c : NULL;
}

static inline int mpir_comm_arg(struct mpir_call *call, MPI_Comm h, struct adi3_comm **c)
{
    *c = __builtin_expect(h == MPI_COMM_WORLD, 1) ? &adi3_world : mpir_other_comm(h);
    call->comm = *c;
    return __builtin_expect(*c != NULL, 1) ? MPI_SUCCESS : mpir_wrong_comm(h);
}

/* For a call that sends no message: also takes a communicator whose MPI_Comm_idup is not
 * complete. */
struct adi3_comm *mpir_local_comm(MPI_Comm h);
static inline int mpir_local_comm_arg(struct mpir_call *call, MPI_Comm h, struct adi3_comm **c)
{
    *c = __builtin_expect(h == MPI_COMM_WORLD, 1) ? &adi3_world : mpir_local_comm(h);
    call->comm = *c;
    return __builtin_expect(*c != NULL, 1) ? MPI_SUCCESS : mpir_wrong_comm(h);
}

/* A datatype, committed or not. */
static inline int mpir_type_arg(MPI_Datatype h, struct adi3_type **t)
{
    struct adi3_type *builtin = adi3_type_builtin(h);

    *t = __builtin_expect(builtin != NULL, 1) ? builtin : mpir_other_type(h);
    return __builtin_expect(*t != NULL, 1) ? MPI_SUCCESS : mpir_wrong_type(h);
}

/* Counts above INT32_MAX are checked in mpir_wrong_data(): one comparison is enough here. */
static inline int mpir_data_arg(const void *buf, MPI_Count count, MPI_Datatype h,
                                struct adi3_data *d)
{
    int err = mpir_type_arg(h, &d->type);

    d->buf = (void *) (uintptr_t) buf;
    d->count = (size_t) count;
    if (__builtin_expect(mpir_is(MPIR_TRUSTS | MPIR_STRICT) || err, 0) || !STARLING_ERROR_CHECKS) {
        if (!err && mpir_checking())
            err = mpir_wrong_data(*d);
        return err;
    }
    if (__builtin_expect(d->count > INT32_MAX || !d->type->committed || !buf || buf == MPI_IN_PLACE,
                         0))
        return mpir_wrong_data(*d);
    return MPI_SUCCESS;
}

static inline int mpir_dest_arg(const struct adi3_comm *c, int rank)
{
    if (mpir_checking() && (unsigned) rank >= (unsigned) c->peers && rank != MPI_PROC_NULL)
        return mpir_wrong_rank(c, rank, "dest");
    return MPI_SUCCESS;
}

/* Wildcards match also when an info hint of c says that the program uses none (§6.4.4); they are
 * errors with STARLING_CHECK=strict, so the functions that these call may return MPI_SUCCESS. */
static inline int mpir_source_arg(const struct adi3_comm *c, int rank)
{
    if (mpir_checking() && (unsigned) rank >= (unsigned) c->peers && rank != MPI_PROC_NULL
        && (rank != MPI_ANY_SOURCE || c->hints & ADI3_NO_ANY_SOURCE))
        return mpir_wrong_rank(c, rank, "source");
    return MPI_SUCCESS;
}

static inline int mpir_send_tag_arg(int tag)
{
    return mpir_checking() && (unsigned) tag > ADI3_TAG_UB ? mpir_wrong_tag(tag) : MPI_SUCCESS;
}

static inline int mpir_recv_tag_arg(const struct adi3_comm *c, int tag)
{
    bool wrong = (unsigned) tag > ADI3_TAG_UB && (tag != MPI_ANY_TAG || c->hints & ADI3_NO_ANY_TAG);

    return mpir_checking() && wrong ? mpir_wrong_recv_tag(tag) : MPI_SUCCESS;
}

/* MPI_ERR_ARG when p is NULL. */
static inline int mpir_out_arg(const void *p, const char *what)
{
    return __builtin_expect(!p, 0) && mpir_checking() ? mpir_null(what) : MPI_SUCCESS;
}

/* ---- the fast path of small messages --------------------------------------------------------- */

/* MPI_Send and the like first test for the common case: one thread, contiguous data of a predefined
 * type, valid arguments. All other cases, and errors, go to a second function with full checks.
 * Meanwhile the arguments are in memory, as NAME_saved: in registers they would have to be saved
 * before each call. */
#define MPIR_SAVE(x)                                                                               \
    __typeof__(x) x##_saved = x;                                                                   \
    __asm__ volatile("" : "+m"(x##_saved))

/* Begins the fast path of a call; false when adi3_state does not allow it. mpir_leave_quickly()
 * ends it; a call that goes the slow way begins again. */
static inline bool mpir_enter_quickly(const char *name)
{
    adi3_go_in();
    if (__builtin_expect(mpir_is(ADI3_ANY), 0))
        return false;
    adi3_current.call = name;
    return true;
}

static inline int mpir_leave_quickly(void)
{
    adi3_go_out();
    return MPI_SUCCESS;
}

/* The communicator of a call, when it may go the fast path; else, or when it is not valid, NULL. */
static inline struct adi3_comm *mpir_quick_comm(const char *name, MPI_Comm h)
{
    if (!mpir_enter_quickly(name))
        return NULL;
    return h == MPI_COMM_WORLD ? &adi3_world : h == MPI_COMM_SELF ? &adi3_self : mpir_pool_comm(h);
}

static inline bool mpir_is_buffer(const void *buf)
{
    return !STARLING_ERROR_CHECKS || (buf && buf != MPI_IN_PLACE);
}

/* Whether data is contiguous and of a predefined type; sets its length in bytes. */
static inline bool mpir_quick_data(const void *buf, MPI_Count count, MPI_Datatype h, size_t *len)
{
    const struct adi3_type *t = adi3_type_builtin(h);

    if (__builtin_expect(!t || count < 0 || count > INT32_MAX || !mpir_is_buffer(buf) || !t->contig,
                         0))
        return false;
    *len = (size_t) count * t->size;
    return true;
}

/* An intracommunicator; an intercommunicator; the same for one that is resolved already. */
int mpir_intra_arg(struct mpir_call *call, MPI_Comm h, struct adi3_comm **c);
int mpir_inter_arg(struct mpir_call *call, MPI_Comm h, struct adi3_comm **c);
int mpir_is_intra_arg(const struct adi3_comm *c);
int mpir_is_inter_arg(const struct adi3_comm *c);
int mpir_count_arg(MPI_Count count, const char *what);
/* MPI_ERR_COUNT when so many elements have a length or a span that 62 bits do not hold. */
int mpir_span_arg(MPI_Count count, const struct adi3_type *t);
int mpir_root_arg(const struct adi3_comm *c, int root);
/* NULL is fine for 0 entries. */
int mpir_array_arg(const void *p, MPI_Count count, const char *what);
int mpir_request_arg(struct mpir_call *call, MPI_Request h, struct adi3_request **r);
int mpir_op_arg(MPI_Op h, struct adi3_op **op);
int mpir_op_type_arg(const struct adi3_op *op,
                     const struct adi3_type *t); /* whether op takes elements of t */
int mpir_group_arg(MPI_Group h, struct adi3_group **g);

/* ---- arrays of counts ------------------------------------------------------------------------ */

/* Counts or displacements as the user gave them: one array of two. MPI_Aint and MPI_Count are the
 * same type. */
struct mpir_counts {
    const int *ints;
    const MPI_Count *wide;
};

static inline struct mpir_counts mpir_ints(const int *v)
{
    return (struct mpir_counts) { .ints = v };
}

static inline struct mpir_counts mpir_wide(const MPI_Count *v)
{
    return (struct mpir_counts) { .wide = v };
}

static inline bool mpir_given(const struct mpir_counts *a) { return a->ints || a->wide; }

/* mpir_given() begins with the same test, so that the two functions are one test for ints. */
static inline MPI_Count mpir_count(const struct mpir_counts *a, MPI_Count i)
{
    return __builtin_expect(a->ints != NULL, 1) ? a->ints[i] : a->wide[i];
}

/* As mpir_array_arg(). */
int mpir_counts_arg(const struct mpir_counts *a, MPI_Count n, const char *what);

/* An array of the program, by its type. */
#define MPIR_COUNTS(v) _Generic((v), const int * : mpir_ints, const MPI_Count * : mpir_wide)(v)

/* Where a call returns a count: one pointer of two. */
struct mpir_count_out {
    int *narrow;
    MPI_Count *wide;
};

static inline struct mpir_count_out mpir_narrow_out(int *p)
{
    return (struct mpir_count_out) { .narrow = p };
}

static inline struct mpir_count_out mpir_wide_out(MPI_Count *p)
{
    return (struct mpir_count_out) { .wide = p };
}

/* MPI_ERR_ARG for NULL. */
static inline int mpir_count_out_arg(struct mpir_count_out out, const char *what)
{
    return out.wide ? MPI_SUCCESS : mpir_out_arg(out.narrow, what);
}

static inline MPI_Count mpir_count_read(struct mpir_count_out out)
{
    return out.narrow ? *out.narrow : *out.wide;
}

/* A count as functions with int counts return it. */
static inline int mpir_count_int(MPI_Count count)
{
    return (uint64_t) count > INT32_MAX ? MPI_UNDEFINED : (int) count;
}

static inline void mpir_count_return(struct mpir_count_out out, MPI_Count count)
{
    if (out.narrow)
        *out.narrow = mpir_count_int(count);
    else
        *out.wide = count;
}

/* Adds to a count that the program has set. The caller knows that the sum fits. */
static inline void mpir_count_add(struct mpir_count_out out, MPI_Count count)
{
    if (out.narrow)
        *out.narrow += (int) count;
    else
        *out.wide += count;
}

/* ---- two doors of one body ------------------------------------------------------------------- */

/* A function with counts has two forms: MPI_Send and MPI_Send_c, of which the second has MPI_Count
 * where the first has int (core/large.h). Each form is a door, a function of at most four lines: it
 * begins the call with the arguments of the program, calls the body, and ends the call. So an error
 * shows these arguments, and a backtrace has the door. Where there is a fast path, the door tries
 * it, and else calls its slow path, which does these three steps. The body does the work of both
 * doors, and its counts are MPI_Count. The file lists once what doors and body have in common:
 *
 *     #define PARAMETERS(Count) void *buf, Count count, ...
 *     #define ARGUMENTS buf, count, ...
 *
 * A body gets no pointer to counts but a view: of an array, which is not copied, mpir_counts; of a
 * result, mpir_count_out. */

/* Marks a body or a fast path that is compiled into both doors, because each message passes it: the
 * int door then has no instruction for larger counts. */
#define MPIR_INLINE static inline __attribute__((always_inline))

/* MPIR_SAVE_SIX() saves the first six of the arguments, which are those in registers;
 * MPIR_SAVED_SIX() lists all arguments, six of them as they were saved. */
#define MPIR_SAVE_SIX(...)  MPIR_SAVE_EACH(__VA_ARGS__, )
#define MPIR_SAVED_SIX(...) MPIR_SAVED_EACH(__VA_ARGS__)
#define MPIR_SAVE_EACH(a, b, c, d, e, f, ...)                                                      \
    MPIR_SAVE(a);                                                                                  \
    MPIR_SAVE(b);                                                                                  \
    MPIR_SAVE(c);                                                                                  \
    MPIR_SAVE(d);                                                                                  \
    MPIR_SAVE(e);                                                                                  \
    MPIR_SAVE(f)
#define MPIR_SAVED_EACH(a, b, c, d, e, f, ...)                                                     \
    a##_saved, b##_saved, c##_saved, d##_saved, e##_saved, f##_saved, ##__VA_ARGS__

/* The profiling interface: MPI_x is a weak name for PMPI_x (§14.2). */
#define MPIR_WEAK(name)                                                                            \
    extern __typeof(PMPI_##name) MPI_##name                                                        \
        __attribute__((weak, alias("PMPI_" #name), visibility("default")))

/* The same of an extension, MPIX_x. */
#define MPIR_WEAK_X(name)                                                                          \
    extern __typeof(PMPIX_##name) MPIX_##name                                                      \
        __attribute__((weak, alias("PMPIX_" #name), visibility("default")))

#endif /* MPIR_H */
