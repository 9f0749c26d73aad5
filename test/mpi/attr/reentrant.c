/* reentrant.c — G11: the functions of attributes may call MPI, and may set and delete attributes of
 * the same object meanwhile: their own and those that are yet to be called. Only for Starling:
 * other libraries do not survive all of this. */
#include "../env/starling.h"
#include "kinds.h"

enum { MANY = 6 };
static struct key k[MANY];

static void make_keys(enum kind kind, struct object o)
{
    memset(k, 0, sizeof k);
    for (int i = 0; i < MANY; i++) {
        make_key(kind, &k[i]);
        set(o, k[i].keyval, values);
    }
}

static void free_keys(enum kind kind)
{
    for (int i = 0; i < MANY; i++)
        if (k[i].keyval != MPI_KEYVAL_INVALID)
            CHECK_INT(free_key(kind, &k[i].keyval), MPI_SUCCESS);
}

/* The value is there until its delete function has succeeded, and is deleted once. */
static void delete_itself(struct key *mine)
{
    CHECK(get(mine->seen, mine->keyval) == values);
    CHECK_INT(error_class(unset(mine->seen, mine->keyval)), MPI_ERR_OTHER);
    CHECK_INT(error_class(set(mine->seen, mine->keyval, values + 1)), MPI_ERR_OTHER);
}

static void delete_others(struct key *mine)
{
    for (int i = 0; i < MANY; i++)
        if (&k[i] != mine && get(mine->seen, k[i].keyval))
            CHECK_INT(unset(mine->seen, k[i].keyval), MPI_SUCCESS);
}

static void set_another(struct key *mine)
{
    mine->hook = NULL;
    for (int i = 0; i < 3; i += 2)
        if (&k[i] != mine)
            CHECK_INT(set(mine->seen, k[i].keyval, values + 3), MPI_SUCCESS);
}

static void message(struct key *mine)
{
    int out = 1, in = 0;

    (void) mine;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 3, &in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    CHECK_INT(in, 1);
}

static void free_own_key(struct key *mine)
{
    int copy = mine->keyval;

    CHECK_INT(free_key(mine->seen.kind, &copy), MPI_SUCCESS);
}

static void deleting(enum kind kind)
{
    struct object o = make_object(kind);

    make_keys(kind, o);
    k[3].hook = delete_itself;
    CHECK_INT(unset(o, k[3].keyval), MPI_SUCCESS);
    CHECK_INT(k[3].deletes, 1);
    k[4].hook = delete_others;
    CHECK_INT(unset(o, k[4].keyval), MPI_SUCCESS);
    for (int i = 0; i < MANY; i++) {
        CHECK_INT(k[i].deletes, 1);
        CHECK(get(o, k[i].keyval) == NULL);
    }
    set(o, k[1].keyval, values);
    k[1].hook = set_another;
    CHECK_INT(set(o, k[1].keyval, values + 1), MPI_SUCCESS);
    CHECK(get(o, k[0].keyval) == values + 3);
    CHECK(get(o, k[1].keyval) == values + 1);
    CHECK(get(o, k[2].keyval) == values + 3);
    k[1].hook = message;
    CHECK_INT(unset(o, k[1].keyval), MPI_SUCCESS);
    unset(o, k[0].keyval);
    unset(o, k[2].keyval);

    set(o, k[5].keyval, values);
    k[5].hook = free_own_key;
    CHECK_INT(set(o, k[5].keyval, values), MPI_SUCCESS); /* the key existed when the call began */
    k[5].hook = NULL;
    CHECK_INT(unset(o, k[5].keyval), MPI_SUCCESS);
    k[5].keyval = MPI_KEYVAL_INVALID;
    free_keys(kind);
    free_object(&o);
}

static void free_again(struct key *mine)
{
    struct object o = mine->seen;

    CHECK_INT(error_class(free_object(&o)), MPI_ERR_OTHER);
}

static void freeing(enum kind kind)
{
    static void (*const hooks[])(struct key * k) = { delete_itself, delete_others, set_another,
                                                     message, free_again };

    for (size_t h = 0; h < sizeof hooks / sizeof *hooks; h++) {
        for (int i = 0; i < MANY; i++) {
            struct object o = make_object(kind);
            make_keys(kind, o);
            k[i].hook = hooks[h];
            CHECK_INT(free_object(&o), MPI_SUCCESS);
            for (int j = 0; j < MANY; j++)
                CHECK(hooks[h] == set_another ? k[j].deletes >= 1 : k[j].deletes == 1);
            free_keys(kind);
        }
    }
}

static void copying(enum kind kind)
{
    static void (*const hooks[])(struct key * k) = { delete_others, set_another, message };

    for (size_t h = 0; h < sizeof hooks / sizeof *hooks; h++) {
        for (int i = 0; i < MANY; i++) {
            struct object o = make_object(kind), dup;
            make_keys(kind, o);
            k[i].hook = hooks[h];
            CHECK_INT(dup_object(o, &dup), MPI_SUCCESS);
            k[i].hook = NULL;
            CHECK(get(dup, k[i].keyval) == values + 1);
            for (int j = 0; j < MANY; j++)
                CHECK((get(dup, k[j].keyval) != NULL) == (k[j].copies == 1));
            free_object(&dup);
            free_object(&o);
            free_keys(kind);
        }
    }
}

/* The function deletes the attribute that it copies: the copy is made all the same. */
static void delete_mine(struct key *mine)
{
    mine->hook = NULL;
    CHECK_INT(unset(mine->seen, mine->keyval), MPI_SUCCESS);
    CHECK_INT(free_key(mine->seen.kind, &mine->keyval), MPI_SUCCESS);
}

static void moving(enum kind kind)
{
    struct object o = make_object(kind), dup;

    make_keys(kind, o);
    int kept = k[2].keyval;
    k[2].hook = delete_mine;
    CHECK_INT(dup_object(o, &dup), MPI_SUCCESS);
    CHECK_INT(k[2].copies, 1);
    CHECK_INT(k[2].deletes, 1);
    CHECK(get(dup, kept) == values + 1);
    k[2].keyval = kept;
    CHECK_INT(free_object(&dup), MPI_SUCCESS);
    CHECK_INT(k[2].deletes, 2);
    k[2].keyval = MPI_KEYVAL_INVALID;
    free_object(&o);
    free_keys(kind);
}

int main(int argc, char **argv)
{
    static const enum kind kinds[] = { COMM, TYPE };

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    deleting(COMM);
    deleting(TYPE);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        freeing(kinds[i]);
        copying(kinds[i]);
        moving(kinds[i]);
    }
    MPI_Finalize();
    return 0;
}
