/* args.c — checks arguments and resolves handles. These rules are nowhere else. */
#include <limits.h>
#include "mpi/core/core.h"

struct adi3_comm *mpir_other_comm(MPI_Comm h)
{
    return h == MPI_COMM_SELF ? &adi3_self : mpir_pool_comm(h);
}

struct adi3_comm *mpir_local_comm(MPI_Comm h)
{
    struct adi3_comm *c = h == MPI_COMM_SELF ? &adi3_self : adi3_get(&adi3_comms, h);

    return c && c->closed != ADI3_FREED ? c : NULL;
}

int mpir_wrong_comm(MPI_Comm h)
{
    const struct adi3_comm *c = mpir_local_comm(h);

    if (h == MPI_COMM_NULL)
        return mpir_error(MPI_ERR_COMM, "the communicator is MPI_COMM_NULL");
    if (c)
        return mpir_error(
            MPI_ERR_COMM,
            "communicator 0x%x is not complete yet: complete its request from %s first",
            (unsigned) h, adi3_creator(&adi3_comms, c));
    return mpir_error(MPI_ERR_COMM, "0x%x is not a communicator, or one that was freed",
                      (unsigned) h);
}

int mpir_is_intra_arg(const struct adi3_comm *c)
{
    if (!c->remote)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_COMM, "0x%x is an intercommunicator", (unsigned) c->handle);
}

int mpir_is_inter_arg(const struct adi3_comm *c)
{
    if (c->remote)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_COMM, "%s is not an intercommunicator",
                      c == &adi3_world ? "MPI_COMM_WORLD" : "the communicator");
}

int mpir_intra_arg(struct mpir_call *call, MPI_Comm h, struct adi3_comm **c)
{
    int err = mpir_comm_arg(call, h, c);

    if (!err)
        err = mpir_is_intra_arg(*c);
    return err;
}

int mpir_inter_arg(struct mpir_call *call, MPI_Comm h, struct adi3_comm **c)
{
    int err = mpir_comm_arg(call, h, c);

    if (!err)
        err = mpir_is_inter_arg(*c);
    return err;
}

struct adi3_type *mpir_other_type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_get(&adi3_types, h);

    return t && (t->handles || t == adi3_op_type) ? t : NULL;
}

int mpir_wrong_type(MPI_Datatype h)
{
    if (h == MPI_DATATYPE_NULL)
        return mpir_error(MPI_ERR_TYPE, "the datatype is MPI_DATATYPE_NULL");
    return mpir_error(MPI_ERR_TYPE, "0x%x is not a datatype, or one that was freed", (unsigned) h);
}

int mpir_count_arg(MPI_Count count, const char *what)
{
    if (mpir_checking() && count < 0)
        return mpir_error(MPI_ERR_COUNT, "%s is negative: %lld", what, (long long) count);
    return MPI_SUCCESS;
}

/* The length and the span of so many elements have at most 62 bits, as those of a datatype. */
static bool is_too_large(MPI_Count count, const struct adi3_type *t)
{
    const __int128 limit = (__int128) 1 << 62, span = (__int128) count * t->extent;

    return count * (__int128) t->size > limit || span > limit || span < -limit;
}

int mpir_span_arg(MPI_Count count, const struct adi3_type *t)
{
    if (!mpir_checking() || count <= INT32_MAX || !is_too_large(count, t))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_COUNT, "%lld elements of %zu bytes need more than 62 bits",
                      (long long) count, t->size);
}

int mpir_wrong_data(struct adi3_data d)
{
    MPI_Count count = (MPI_Count) d.count;

    if (count < 0)
        return mpir_error(MPI_ERR_COUNT, "the count is negative: %lld", (long long) count);
    if (!d.type->committed)
        return mpir_error(MPI_ERR_TYPE,
                          "datatype 0x%x is not committed: call MPI_Type_commit first",
                          (unsigned) d.type->handle);
    if (d.buf == MPI_IN_PLACE)
        return mpir_error(MPI_ERR_BUFFER, "MPI_IN_PLACE is not a buffer here");
    /* A datatype with absolute addresses may be used with any buffer, MPI_BOTTOM included. */
    if (!d.buf && count > 0 && d.type->size > 0 && d.type->true_lb == 0)
        return mpir_error(MPI_ERR_BUFFER, "the buffer is NULL for %lld elements of %zu bytes",
                          (long long) count, d.type->size);
    int err = mpir_span_arg(count, d.type);

    if (!err && mpir_is(MPIR_STRICT))
        err = adi3_check_mapped(&d);
    return err;
}

const char *mpir_rank_name(int rank)
{
    return rank == MPI_ANY_SOURCE  ? " (MPI_ANY_SOURCE)"
           : rank == MPI_PROC_NULL ? " (MPI_PROC_NULL)"
           : rank == MPI_ROOT      ? " (MPI_ROOT)"
           : rank == MPI_UNDEFINED ? " (MPI_UNDEFINED)"
                                   : "";
}

int mpir_wrong_rank(const struct adi3_comm *c, int rank, const char *what)
{
    if (rank == MPI_ANY_SOURCE && *what == 's')
        return mpir_is(MPIR_STRICT)
                   ? mpir_error(MPI_ERR_RANK,
                                "source is MPI_ANY_SOURCE in a communicator with the hint "
                                "mpi_assert_no_any_source (STARLING_CHECK=strict)")
                   : MPI_SUCCESS;
    return mpir_error(MPI_ERR_RANK, "%s %d%s is outside 0..%d", what, rank, mpir_rank_name(rank),
                      c->peers - 1);
}

int mpir_root_arg(const struct adi3_comm *c, int root)
{
    if (!mpir_checking() || (unsigned) root < (unsigned) c->peers)
        return MPI_SUCCESS;
    if (!c->remote)
        return mpir_error(MPI_ERR_ROOT, "root %d%s is outside 0..%d", root, mpir_rank_name(root),
                          c->size - 1);
    if (root == MPI_ROOT || root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ROOT,
                      "root %d is outside 0..%d of the other group, and neither MPI_ROOT nor "
                      "MPI_PROC_NULL",
                      root, c->peers - 1);
}

int mpir_wrong_tag(int tag)
{
    if (tag == MPI_ANY_TAG)
        return mpir_error(MPI_ERR_TAG,
                          "tag -1 is outside 0..%d; as MPI_ANY_TAG it is for receives "
                          "in a communicator without the hint mpi_assert_no_any_tag",
                          ADI3_TAG_UB);
    return mpir_error(MPI_ERR_TAG, "tag %d is outside 0..%d", tag, ADI3_TAG_UB);
}

int mpir_wrong_recv_tag(int tag)
{
    return tag == MPI_ANY_TAG && !mpir_is(MPIR_STRICT) ? MPI_SUCCESS : mpir_wrong_tag(tag);
}

int mpir_null(const char *what) { return mpir_error(MPI_ERR_ARG, "%s is NULL", what); }

int mpir_array_arg(const void *p, MPI_Count count, const char *what)
{
    return count > 0 ? mpir_out_arg(p, what) : MPI_SUCCESS;
}

int mpir_counts_arg(const struct mpir_counts *a, MPI_Count n, const char *what)
{
    return n > 0 && mpir_checking() && !mpir_given(a) ? mpir_null(what) : MPI_SUCCESS;
}

int mpir_request_arg(struct mpir_call *call, MPI_Request h, struct adi3_request **r)
{
    *r = adi3_request_get(h);
    if (__builtin_expect(!*r, 0))
        return mpir_error(MPI_ERR_REQUEST, "0x%x is not a request, or one that is complete",
                          (unsigned) h);
    call->comm = adi3_request_comm(*r);
    return MPI_SUCCESS;
}

int mpir_op_arg(MPI_Op h, struct adi3_op **op)
{
    *op = adi3_op_builtin(h);
    if (!*op)
        *op = adi3_get(&adi3_ops, h);
    if (*op)
        return MPI_SUCCESS;
    if (h == MPI_OP_NULL)
        return mpir_error(MPI_ERR_OP, "the operation is MPI_OP_NULL");
    return mpir_error(MPI_ERR_OP, "0x%x is not an operation, or one that was freed", (unsigned) h);
}

int mpir_op_type_arg(const struct adi3_op *op, const struct adi3_type *t)
{
    bool takes = adi3_op_takes(op, t);
    char name[64];

    if (!mpir_checking() || (takes && (!mpir_is(MPIR_STRICT) || adi3_op_is_standard(op, t))))
        return MPI_SUCCESS;
    mpir_show_value(name, "MPI_Op", op->handle);
    return mpir_error(MPI_ERR_OP, "%s does not take datatype %s%s", name,
                      *t->name ? t->name : "made by the program",
                      takes ? " by §5.9.2 of the standard (STARLING_CHECK=strict)" : "");
}

int mpir_group_arg(MPI_Group h, struct adi3_group **g)
{
    *g = h == MPI_GROUP_EMPTY ? &adi3_group_empty : adi3_get(&adi3_groups, h);
    if (*g && (*g)->handles)
        return MPI_SUCCESS;
    if (h == MPI_GROUP_NULL)
        return mpir_error(MPI_ERR_GROUP, "the group is MPI_GROUP_NULL");
    return mpir_error(MPI_ERR_GROUP, "0x%x is not a group, or one that was freed", (unsigned) h);
}
