/* predefined.c — G13: the predefined attributes of MPI_COMM_WORLD are pointers to int that stay
 * good, the same on all processes where the standard says so. */
#include "../env/starling.h"

static int *value_of(MPI_Comm comm, int keyval)
{
    static int untouched;
    int *value = &untouched, flag = -1;

    CHECK_INT(MPI_Comm_get_attr(comm, keyval, &value, &flag), MPI_SUCCESS);
    CHECK(flag == 0 || flag == 1);
    return flag ? value : NULL;
}

static void same_everywhere(int value)
{
    int least, most;

    MPI_Allreduce(&value, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&value, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK_INT(least, most);
}

int main(int argc, char **argv)
{
    int size, *value, *tag_ub, before;
    MPI_Comm dup;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK((tag_ub = value_of(MPI_COMM_WORLD, MPI_TAG_UB)) != NULL);
    CHECK((before = *tag_ub) >= 32767);
    same_everywhere(*tag_ub);
    CHECK((value = value_of(MPI_COMM_WORLD, MPI_HOST)) != NULL);
    CHECK(*value == MPI_PROC_NULL || (*value >= 0 && *value < size));
    same_everywhere(*value);
    CHECK((value = value_of(MPI_COMM_WORLD, MPI_IO)) != NULL);
    CHECK(*value == MPI_ANY_SOURCE || *value == MPI_PROC_NULL || (*value >= 0 && *value < size));
    if ((value = value_of(MPI_COMM_WORLD, MPI_WTIME_IS_GLOBAL))) {
        CHECK(*value == 0 || *value == 1);
        same_everywhere(*value);
    }
    CHECK((value = value_of(MPI_COMM_WORLD, MPI_LASTUSEDCODE)) != NULL);
    CHECK(*value >= MPI_ERR_LASTCODE);
    if ((value = value_of(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE)))
        CHECK(*value >= (starling() ? size : 1));
    if ((value = value_of(MPI_COMM_WORLD, MPI_APPNUM)))
        CHECK(*value >= 0);

    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Comm_free(&dup);
    CHECK_INT(*tag_ub, before);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (starling()) {
        int flag;

        CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_KEYVAL_INVALID, &value, &flag)),
                  MPI_ERR_KEYVAL);
        CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_WIN_BASE, &value, &flag)),
                  MPI_ERR_KEYVAL);
        CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_NULL, MPI_TAG_UB, &value, &flag)),
                  MPI_ERR_COMM);
        CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, NULL, &flag)),
                  MPI_ERR_ARG);
        CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, NULL)),
                  MPI_ERR_ARG);
    }
    MPI_Finalize();
    return 0;
}
