/* attr.h — attributes: values that programs and libraries cache on communicators, datatypes and
 * windows (§6.7).
 *
 * The user's functions run without the lock and may call MPI, also on the same object. No pointer
 * into a list is valid after such a call: attributes have numbers, by which a loop continues. */
#ifndef ATTR_H
#define ATTR_H

#include "mpi/core/hooks.h"
#include "mpi/mpir.h"

/* An object that has attributes. */
struct mpir_attr_holder {
    int handle; /* for the user's functions */
    enum mpir_object kind;
    struct mpir_attribute **list; /* its attributes */
};

/* The callbacks of all kinds have one type, since all handles are int. */
struct mpir_callbacks {
    const struct adi3_language *language;
    MPI_Comm_copy_attr_function *copy_fn; /* NULL: not copied */
    MPI_Comm_delete_attr_function *delete_fn;
    void *extra;
};

struct mpir_keyval {
    int handle;
    int refs;   /* of the handle and of each attribute */
    bool freed; /* the user freed its handle */
    enum mpir_object kind;
    struct mpir_callbacks call;
};

struct mpir_attribute { /* in a list, the one set last first */
    struct mpir_attribute *next;
    int keyval;
    const char *deleting; /* identifies the thread in the attribute's delete function; NULL: none */
    void *value;          /* as C reads it: of an integer its address, in `stored` */
    uint64_t number;      /* greater than the numbers behind in the list */
    struct mpir_keyval *key;
    enum adi3_attr_kind kind;
    union {
        int integer;
        MPI_Aint address;
    } stored;
};

static inline struct mpir_attr_holder mpir_comm_attr_holder(struct adi3_comm *c)
{
    return (struct mpir_attr_holder) { c->handle, MPIR_ON_COMM, &c->attributes };
}

static inline struct mpir_attr_holder mpir_type_attr_holder(struct adi3_type *t)
{
    return (struct mpir_attr_holder) { t->handle, MPIR_ON_TYPE, &t->attributes };
}

/* The attributes of a window are those of its communicator. */
static inline struct mpir_attr_holder mpir_win_attr_holder(struct adi3_win *w)
{
    return (struct mpir_attr_holder) { w->handle, MPIR_ON_WIN, &w->comm->attributes };
}

/* keyval.c. Errors: MPI_ERR_KEYVAL for what is no key of that kind, MPI_ERR_NO_MEM. */
int mpir_keyval_create(enum mpir_object kind, struct mpir_callbacks call, int *keyval);
int mpir_keyval_free(enum mpir_object kind, int *keyval);
int mpir_keyval_get(enum mpir_object kind, int keyval, struct mpir_keyval **k);
void mpir_keyval_release(struct mpir_keyval *k);

/* language.c: what a language reads that has attributes of that kind: a pointer, or the integer
 * itself. */
void *mpir_attribute_seen(const struct mpir_attribute *a, enum adi3_attr_kind by);
/* The kind of a value that a call of this thread sets: of one that MPIR_Attr_pass() has announced,
 * *value becomes the integer. */
enum adi3_attr_kind mpir_attribute_passed(void **value);

/* attribute.c. An error code of the user's function is returned when it has a text, else another
 * code of its class. It is no error to delete an attribute that is not set. MPI_ERR_OTHER: this
 * thread is in the delete function of that attribute. */
int mpir_attribute_set(struct mpir_attr_holder o, int keyval, void *value);
int mpir_attribute_delete(struct mpir_attr_holder o, int keyval);

/* Copies all attributes to an object without any. After an error it has none: the delete functions
 * are called for those copied so far. */
int mpir_attributes_copy(struct mpir_attr_holder from, struct mpir_attr_holder to);
/* Deletes all attributes, the one set last first. After an error the rest is still there. */
int mpir_attributes_delete(struct mpir_attr_holder o);
/* Frees all attributes without calling delete functions. */
void mpir_attributes_drop(struct mpir_attribute **list);
void mpir_attributes_drop_of_type(struct adi3_type *t);

static inline struct mpir_attribute *mpir_attribute_find(struct mpir_attribute *list, int keyval)
{
    while (list && list->keyval != keyval)
        list = list->next;
    return list;
}

/* Does the work of MPI_x_get_attr. Errors: MPI_ERR_KEYVAL, MPI_ERR_ARG. */
static inline int mpir_attribute_get(struct mpir_attr_holder o, int keyval, void *attribute_val,
                                     int *flag)
{
    const struct mpir_attribute *a = mpir_attribute_find(*o.list, keyval);
    struct mpir_keyval *k;
    int err = a ? MPI_SUCCESS : mpir_keyval_get(o.kind, keyval, &k);

    if (!err)
        err = mpir_out_arg(attribute_val, "attribute_val");
    if (!err)
        err = mpir_out_arg(flag, "flag");
    if (err)
        return err;
    *flag = a != NULL;
    if (a)
        *(void **) attribute_val = a->value;
    return MPI_SUCCESS;
}

/* comm_get_attr.c: the same for a communicator, predefined attributes included. */
int mpir_comm_attribute_get(struct adi3_comm *c, int keyval, void *attribute_val, int *flag);

/* predefined.c: the predefined attributes of communicators (§8.1.2, §10.5). */
enum { MPIR_COMM_PREDEFINED = 7 };
struct mpir_predefined {
    int *value;
    int (*ask)(int *value); /* sets the value; fails when it is not known. NULL: value is set */
};
extern const struct mpir_predefined mpir_predefined[MPIR_COMM_PREDEFINED]; /* by key */

/* NULL when keyval is not a predefined key. */
static inline const struct mpir_predefined *mpir_comm_predefined(int keyval)
{
    unsigned i = (unsigned) keyval - MPI_TAG_UB; /* the keys of C are two apart */

    return i % 2 == 0 && i / 2 < MPIR_COMM_PREDEFINED ? &mpir_predefined[i / 2] : NULL;
}

#endif /* ATTR_H */
