/* attr.h — attributes: what programs and libraries hang on communicators, types and windows (§6.7).
 *
 * The user's functions run without the lock and may call MPI, also on the same object. So nobody
 * keeps a place in a list while they run: attributes have numbers, by which a walk goes on. */
#ifndef ATTR_H
#define ATTR_H

#include "mpir.h"

enum mpir_attr_holder_kind { MPIR_ON_COMM, MPIR_ON_TYPE, MPIR_ON_WIN };

/* An object with attributes. */
struct mpir_attr_holder {
    int handle; /* for the user's functions */
    enum mpir_attr_holder_kind kind;
    struct mpir_attribute **list; /* lives as long as the object */
};

/* The callbacks of all kinds have one type, since all handles are int. */
struct mpir_callbacks {
    MPI_Comm_copy_attr_function *copy_fn; /* NULL: not copied */
    MPI_Comm_delete_attr_function *delete_fn;
    void *extra;
};

struct mpir_keyval {
    int handle;
    int refs;   /* of the handle and of each attribute */
    bool freed; /* the user gave up its handle */
    enum mpir_attr_holder_kind kind;
    struct mpir_callbacks call;
};

struct mpir_attribute { /* in a list, the one set last first */
    struct mpir_attribute *next;
    int keyval;
    const char *ender; /* names the thread in its delete function; NULL: none */
    void *value;
    uint64_t number; /* greater than those behind it */
    struct mpir_keyval *key;
};

static inline struct mpir_attr_holder mpir_comm_attr_holder(struct adi3_comm *c)
{
    return (struct mpir_attr_holder) { c->handle, MPIR_ON_COMM, &c->attributes };
}

static inline struct mpir_attr_holder mpir_type_attr_holder(struct adi3_type *t)
{
    return (struct mpir_attr_holder) { t->handle, MPIR_ON_TYPE, &t->attributes };
}

/* keyval.c. Errors: MPI_ERR_KEYVAL for what is no key of that kind, MPI_ERR_NO_MEM. */
int mpir_keyval_create(enum mpir_attr_holder_kind kind, struct mpir_callbacks call, int *keyval);
int mpir_keyval_free(enum mpir_attr_holder_kind kind, int *keyval);
int mpir_keyval_get(enum mpir_attr_holder_kind kind, int keyval, struct mpir_keyval **k);
void mpir_keyval_release(struct mpir_keyval *k);

/* attribute.c. An error of the user's function is returned as it is when it has words, else as
 * another code of its class. Deleting what is not there is no error; deleting or setting what this
 * thread is just deleting is MPI_ERR_OTHER. */
int mpir_attribute_set(struct mpir_attr_holder b, int keyval, void *value);
int mpir_attribute_delete(struct mpir_attr_holder b, int keyval);

/* For copies of objects: to has no attributes yet. On error it has none afterwards: those that had
 * been copied are deleted by their functions. */
int mpir_attributes_copy(struct mpir_attr_holder from, struct mpir_attr_holder to);
/* For the end of objects, in the reverse order of setting. On error the rest is still there. */
int mpir_attributes_delete(struct mpir_attr_holder b);
/* Frees the memory and calls nobody. */
void mpir_attributes_drop(struct mpir_attribute **list);
void mpir_attributes_drop_of_type(struct adi3_type *t);

static inline struct mpir_attribute *mpir_attribute_find(struct mpir_attribute *list, int keyval)
{
    while (list && list->keyval != keyval)
        list = list->next;
    return list;
}

/* The end of MPI_x_get_attr. Errors: MPI_ERR_KEYVAL, MPI_ERR_ARG. */
static inline int mpir_attribute_get(struct mpir_attr_holder b, int keyval, void *attribute_val,
                                     int *flag)
{
    const struct mpir_attribute *a = mpir_attribute_find(*b.list, keyval);
    struct mpir_keyval *k;
    int err = a ? MPI_SUCCESS : mpir_keyval_get(b.kind, keyval, &k);

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

/* comm_get_attr.c: likewise, the predefined ones among them. */
int mpir_comm_attribute_get(struct adi3_comm *c, int keyval, void *attribute_val, int *flag);

/* predefined.c: those of communicators (§8.1.2, §10.5). */
enum { MPIR_COMM_PREDEFINED = 7 };
struct mpir_predefined {
    int *value;
    int (*ask)(int *value); /* NULL: known; fails when nobody knows */
};
extern const struct mpir_predefined mpir_predefined[MPIR_COMM_PREDEFINED]; /* by key */

/* NULL when the key is not of a predefined one. */
static inline const struct mpir_predefined *mpir_comm_predefined(int keyval)
{
    unsigned i = (unsigned) keyval - MPI_TAG_UB; /* C's keys are two apart */

    return i % 2 == 0 && i / 2 < MPIR_COMM_PREDEFINED ? &mpir_predefined[i / 2] : NULL;
}

#endif /* ATTR_H */
