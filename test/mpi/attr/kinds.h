/* kinds.h — the same tests for attributes of communicators and of datatypes. */
#ifndef KINDS_H
#define KINDS_H

#include "mpitest.h"

enum kind { COMM, TYPE, KINDS };

struct object {
    enum kind kind;
    MPI_Comm comm;
    MPI_Datatype type;
};

/* A key, the instructions for its functions, and a record of their calls. */
struct key {
    int keyval;
    int drops, copy_code, delete_code; /* drops: the copy function says flag = 0 */
    int copies, deletes;
    char *value;                 /* the last attribute copied or deleted */
    struct object seen;          /* the object that had it */
    void (*hook)(struct key *k); /* called by both functions, or NULL */
};

static inline int copied(struct key *k, struct object o, int keyval, void *in, void *out, int *flag)
{
    CHECK_INT(keyval, k->keyval);
    k->copies++;
    k->value = in;
    k->seen = o;
    if (k->hook)
        k->hook(k);
    *(char **) out = (char *) in + 1; /* so that a copy can be recognized */
    *flag = !k->drops;
    return k->copy_code;
}

static inline int deleted(struct key *k, struct object o, int keyval, void *value)
{
    CHECK_INT(keyval, k->keyval);
    k->deletes++;
    k->value = value;
    k->seen = o;
    if (k->hook)
        k->hook(k);
    return k->delete_code;
}

static inline int copy_comm(MPI_Comm c, int keyval, void *extra, void *in, void *out, int *flag)
{
    return copied(extra, (struct object) { COMM, c, MPI_DATATYPE_NULL }, keyval, in, out, flag);
}

static inline int delete_comm(MPI_Comm c, int keyval, void *value, void *extra)
{
    return deleted(extra, (struct object) { COMM, c, MPI_DATATYPE_NULL }, keyval, value);
}

static inline int copy_type(MPI_Datatype t, int keyval, void *extra, void *in, void *out, int *flag)
{
    return copied(extra, (struct object) { TYPE, MPI_COMM_NULL, t }, keyval, in, out, flag);
}

static inline int delete_type(MPI_Datatype t, int keyval, void *value, void *extra)
{
    return deleted(extra, (struct object) { TYPE, MPI_COMM_NULL, t }, keyval, value);
}

static inline void make_key(enum kind kind, struct key *k)
{
    int err = kind == COMM ? MPI_Comm_create_keyval(copy_comm, delete_comm, &k->keyval, k)
                           : MPI_Type_create_keyval(copy_type, delete_type, &k->keyval, k);

    CHECK_INT(err, MPI_SUCCESS);
    CHECK(k->keyval != MPI_KEYVAL_INVALID);
}

static inline int free_key(enum kind kind, int *keyval)
{
    return kind == COMM ? MPI_Comm_free_keyval(keyval) : MPI_Type_free_keyval(keyval);
}

static inline struct object make_object(enum kind kind)
{
    struct object o = { kind, MPI_COMM_NULL, MPI_DATATYPE_NULL };

    if (kind == COMM)
        MPI_Comm_dup(MPI_COMM_SELF, &o.comm);
    else
        MPI_Type_contiguous(2, MPI_INT, &o.type);
    return o;
}

static inline int dup_object(struct object o, struct object *made)
{
    *made = (struct object) { o.kind, MPI_COMM_NULL, MPI_DATATYPE_NULL };
    return o.kind == COMM ? MPI_Comm_dup(o.comm, &made->comm) : MPI_Type_dup(o.type, &made->type);
}

static inline int free_object(struct object *o)
{
    return o->kind == COMM ? MPI_Comm_free(&o->comm) : MPI_Type_free(&o->type);
}

static inline int is_null(struct object o)
{
    return o.comm == MPI_COMM_NULL && o.type == MPI_DATATYPE_NULL;
}

static inline int same(struct object a, struct object b)
{
    return a.kind == b.kind && a.comm == b.comm && a.type == b.type;
}

static inline int set(struct object o, int keyval, void *value)
{
    return o.kind == COMM ? MPI_Comm_set_attr(o.comm, keyval, value)
                          : MPI_Type_set_attr(o.type, keyval, value);
}

static inline int unset(struct object o, int keyval)
{
    return o.kind == COMM ? MPI_Comm_delete_attr(o.comm, keyval)
                          : MPI_Type_delete_attr(o.type, keyval);
}

/* The value, or NULL when there is none. */
static inline char *get(struct object o, int keyval)
{
    static char untouched;
    char *value = &untouched;
    int flag = -1;
    int err = o.kind == COMM ? MPI_Comm_get_attr(o.comm, keyval, &value, &flag)
                             : MPI_Type_get_attr(o.type, keyval, &value, &flag);

    CHECK_INT(err, MPI_SUCCESS);
    CHECK(flag == 0 || flag == 1);
    CHECK(flag || value == &untouched);
    return flag ? value : NULL;
}

/* The attributes that the tests set. */
static char values[8];

#endif /* KINDS_H */
