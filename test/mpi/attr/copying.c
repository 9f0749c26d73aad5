/* copying.c — G11: the copy of an object has the attributes that the copy functions return: the
 * value they write, none for flag = 0 or the null function, the same value for the dup function. An
 * error makes the copy fail. */
#include "../env/starling.h"
#include "kinds.h"

static void copies(enum kind kind)
{
    struct object o = make_object(kind), dup;
    struct key kept = { 0 }, dropped = { .drops = 1 };

    make_key(kind, &kept);
    make_key(kind, &dropped);
    set(o, kept.keyval, values);
    set(o, dropped.keyval, values + 4);
    CHECK_INT(dup_object(o, &dup), MPI_SUCCESS);
    CHECK_INT(kept.copies, 1);
    CHECK(kept.value == values && same(kept.seen, o));
    CHECK_INT(dropped.copies, 1);
    CHECK(dropped.value == values + 4 && same(dropped.seen, o));
    CHECK(get(dup, kept.keyval) == values + 1);
    CHECK(get(dup, dropped.keyval) == NULL);
    CHECK(get(o, kept.keyval) == values);
    CHECK(get(o, dropped.keyval) == values + 4);

    /* setting the original does not change the copy */
    CHECK_INT(set(o, kept.keyval, values + 5), MPI_SUCCESS);
    CHECK(get(dup, kept.keyval) == values + 1);
    kept.deletes = 0;
    CHECK_INT(free_object(&dup), MPI_SUCCESS);
    CHECK_INT(kept.deletes, 1);
    CHECK(kept.value == values + 1);
    CHECK_INT(dropped.deletes, 0);
    CHECK_INT(free_object(&o), MPI_SUCCESS);
    CHECK_INT(kept.deletes, 2);
    CHECK_INT(dropped.deletes, 1);
    free_key(kind, &kept.keyval);
    free_key(kind, &dropped.keyval);
}

/* The copies have the order of the originals, which the deletion of an object shows. */
static struct key *order[3];
static int ended;
static void log_end(struct key *k) { order[ended++ % 3] = k; }

static void in_order(enum kind kind)
{
    struct object o = make_object(kind), dup;
    struct key k[3] = { 0 };

    for (int i = 0; i < 3; i++) {
        make_key(kind, &k[i]);
        set(o, k[i].keyval, values);
    }
    set(o, k[0].keyval, values); /* now it is the last one */
    CHECK_INT(dup_object(o, &dup), MPI_SUCCESS);
    for (int i = 0; i < 3; i++)
        k[i].hook = log_end;
    for (int round = 0; round < 2; round++) {
        ended = 0;
        CHECK_INT(free_object(round ? &o : &dup), MPI_SUCCESS);
        CHECK_INT(ended, 3);
        for (int i = 0; i < 3; i++)
            CHECK(order[i] == &k[(3 - i) % 3]); /* 0, 2, 1 */
    }
    for (int i = 0; i < 3; i++)
        free_key(kind, &k[i].keyval);
}

static void predefined_functions(void)
{
    MPI_Datatype type, dup;
    int same_key, no_key, flag;
    void *value = NULL;

    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &same_key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &no_key, NULL);
    MPI_Type_vector(2, 1, 2, MPI_INT, &type);
    MPI_Type_set_attr(type, same_key, values);
    MPI_Type_set_attr(type, no_key, values);
    MPI_Type_dup(type, &dup);
    MPI_Type_get_attr(dup, same_key, &value, &flag);
    CHECK(flag && value == values);
    MPI_Type_get_attr(dup, no_key, &value, &flag);
    CHECK(!flag);
    MPI_Type_free(&dup);
    MPI_Type_free(&type);
    MPI_Type_free_keyval(&same_key);
    MPI_Type_free_keyval(&no_key);
}

int main(int argc, char **argv)
{
    static const enum kind kinds[] = { COMM, TYPE };

    MPI_Init(&argc, &argv);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        copies(kinds[i]);
        if (starling()) /* the standard asks for it of MPI_COMM_SELF alone */
            in_order(kinds[i]);
    }
    predefined_functions();
    MPI_Finalize();
    return 0;
}
