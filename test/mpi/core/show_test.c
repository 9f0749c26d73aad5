/* show_test.c — the error text shows a call as the user wrote it, and never reads past what it
 * knows.  Linked with show.c and the string that gen_api_text.py makes of mpi.h. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "mpi/core/core.h"
#include "mpi.h"

static char text[1024];

/* As a failing MPI function does. */
static void show(size_t len, const char *call, const char *names, ...)
{
    va_list args;

    memset(text, '#', sizeof text);
    va_start(args, names);
    mpir_show(text, len, call, names, args);
    va_end(args);
}

#define SHOW(call, ...) show(sizeof text, call, #__VA_ARGS__, ##__VA_ARGS__)

/* One name for each parameter, as ENTER needs them. */
static void *const buf = (void *) 0x1230;
static MPI_Comm comm = MPI_COMM_WORLD;
static MPI_Datatype datatype = MPI_INT;
static MPI_Status *status = MPI_STATUS_IGNORE;
static int count = 1, dest = 7, tag = 3, source = 0;

static void values_by_name(void **state)
{
    (void) state;
    SHOW("MPI_Send", buf, count, datatype, dest, tag, comm);
    assert_string_equal(text, "MPI_Send(buf=0x1230, count=1, MPI_INT, dest=7, tag=3, "
                              "MPI_COMM_WORLD)");
    SHOW("MPI_Recv", buf, count, datatype, source, tag, comm, status);
    assert_string_equal(text, "MPI_Recv(buf=0x1230, count=1, MPI_INT, source=0, tag=3, "
                              "MPI_COMM_WORLD, MPI_STATUS_IGNORE)");
}

static void unknown_handles(void **state)
{
    int *flag = NULL;

    (void) state;
    SHOW("MPI_Get_count", status, datatype);
    assert_string_equal(text, "MPI_Get_count(MPI_STATUS_IGNORE, MPI_INT)");
    show(sizeof text, "MPI_Iprobe", "source, tag, comm, flag, status", 0, 0, 0x84000001, flag,
         NULL);
    assert_string_equal(text, "MPI_Iprobe(source=0, tag=0, comm=0x84000001, flag=NULL, "
                              "status=NULL)");
    show(sizeof text, "MPI_Send", "buf, count, datatype", NULL, -1, MPI_DATATYPE_NULL);
    assert_string_equal(text, "MPI_Send(buf=MPI_BOTTOM, count=-1, MPI_DATATYPE_NULL)");
    show(sizeof text, "MPI_Type_size", "datatype", MPI_FLOAT_INT);
    assert_string_equal(text, "MPI_Type_size(MPI_FLOAT_INT)");
}

static void named_integers(void **state)
{
    (void) state;
    show(sizeof text, "MPI_Probe", "source, tag", MPI_ANY_SOURCE, MPI_ANY_TAG);
    assert_string_equal(text, "MPI_Probe(source=MPI_ANY_SOURCE, tag=MPI_ANY_TAG)");
    show(sizeof text, "MPI_Send", "dest, tag", MPI_PROC_NULL, -2);
    assert_string_equal(text, "MPI_Send(dest=MPI_PROC_NULL, tag=-2)");
    show(sizeof text, "MPI_Bcast", "root", MPI_ROOT);
    assert_string_equal(text, "MPI_Bcast(root=MPI_ROOT)");
    show(sizeof text, "MPI_Comm_split", "comm, color, key", MPI_COMM_SELF, MPI_UNDEFINED, -1);
    assert_string_equal(text, "MPI_Comm_split(MPI_COMM_SELF, color=MPI_UNDEFINED, key=-1)");
    show(sizeof text, "MPI_Allreduce", "sendbuf, recvbuf, count, datatype, op", MPI_IN_PLACE,
         MPI_IN_PLACE, 2, MPI_DOUBLE, MPI_BAND);
    assert_string_equal(text, "MPI_Allreduce(sendbuf=MPI_IN_PLACE, recvbuf=MPI_IN_PLACE, count=2, "
                              "MPI_DOUBLE, MPI_BAND)");
    show(sizeof text, "MPI_Waitall", "count, array_of_requests, array_of_statuses", 2, NULL,
         MPI_STATUSES_IGNORE);
    assert_string_equal(text, "MPI_Waitall(count=2, array_of_requests=NULL, "
                              "array_of_statuses=MPI_STATUSES_IGNORE)");
    show(sizeof text, "MPI_Comm_get_attr", "comm, comm_keyval", MPI_COMM_WORLD, MPI_TAG_UB);
    assert_string_equal(text, "MPI_Comm_get_attr(MPI_COMM_WORLD, comm_keyval=MPI_TAG_UB)");
}

/* Wide arguments beyond the six registers as well: each takes exactly its own place. */
static void every_width(void **state)
{
    (void) state;
    show(sizeof text, "MPI_Rput",
         "origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count, "
         "target_datatype, win, request",
         buf, 1, MPI_BYTE, 2, (MPI_Aint) INT64_MIN, 3, MPI_CHAR, MPI_WIN_NULL, (MPI_Request *) buf);
    assert_string_equal(text, "MPI_Rput(origin_addr=0x1230, origin_count=1, MPI_BYTE, "
                              "target_rank=2, target_disp=-9223372036854775808, target_count=3, "
                              "MPI_CHAR, MPI_WIN_NULL, request=0x1230)");
    show(sizeof text, "MPI_File_set_view", "fh, disp, etype, filetype, datarep, info",
         MPI_FILE_NULL, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_INT, "native", MPI_INFO_NULL);
    assert_memory_equal(text,
                        "MPI_File_set_view(MPI_FILE_NULL, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, "
                        "MPI_INT, datarep=0x",
                        88);
    assert_non_null(strstr(text, ", MPI_INFO_NULL)"));
    show(sizeof text, "MPI_Status_set_elements_x", "status, datatype, count", NULL, MPI_INT,
         (MPI_Count) 1 << 40);
    assert_string_equal(text, "MPI_Status_set_elements_x(status=NULL, MPI_INT, "
                              "count=1099511627776)");
    show(sizeof text, "MPI_Send_c", "buf, count, datatype, dest", buf, -((MPI_Count) 1 << 40),
         MPI_BYTE, 7); /* of core/large.h */
    assert_string_equal(text, "MPI_Send_c(buf=0x1230, count=-1099511627776, MPI_BYTE, dest=7)");
    show(sizeof text, "MPI_File_seek", "fh, offset, whence", (MPI_File) buf, (MPI_Offset) -1,
         MPI_SEEK_END);
    assert_string_equal(text, "MPI_File_seek(fh=0x1230, offset=-1, whence=MPI_SEEK_END)");
}

/* After a parameter of unknown type the rest cannot be found. */
static void stops_at_the_unknown(void **state)
{
    (void) state;
    show(sizeof text, "MPI_Nonsense", "comm, count", 1, 2);
    assert_string_equal(text, "MPI_Nonsense(...)");
    show(sizeof text, "MPI_Comm_rank_c", "comm, rank", 1, NULL); /* it has no PMPI_ twin */
    assert_string_equal(text, "MPI_Comm_rank_c(...)");
    show(sizeof text, "MPI_Send", "buf, number, datatype", buf, 2.5, MPI_INT);
    assert_string_equal(text, "MPI_Send(buf=0x1230, ...)");
    show(sizeof text, "MPI_Pcontrol", "level, more", 2, "x");
    assert_string_equal(text, "MPI_Pcontrol(level=2, ...)");
    show(sizeof text, "MPI_Send",
         "count_of_a_name_longer_than_any_other_in_the_whole_interface_of_mpi", 1);
    assert_string_equal(text, "MPI_Send(...)");
    show(sizeof text, "", "", 0);
    assert_string_equal(text, "()");
    show(sizeof text, NULL, NULL, 0);
    assert_string_equal(text, "?()");
    show(sizeof text, NULL, "comm", 0);
    assert_string_equal(text, "?(...)");
    show(sizeof text, "MPI_Send", ", ,", 0);
    assert_string_equal(text, "MPI_Send(...)");
    show(sizeof text, "MPI_Finalize", "", 0);
    assert_string_equal(text, "MPI_Finalize()");
}

static void cut_cleanly(void **state)
{
    static const char whole[] = "MPI_Comm_size(MPI_COMM_WORLD, size=NULL)";

    (void) state;
    for (size_t len = 0; len <= sizeof whole; len++) {
        show(len, "MPI_Comm_size", "comm, size", MPI_COMM_WORLD, NULL);
        assert_int_equal(text[len], '#');
        if (len == 0)
            continue;
        size_t got = len < sizeof whole ? len - 1 : sizeof whole - 1;
        assert_int_equal(strlen(text), got);
        if (len >= sizeof whole)
            assert_string_equal(text, whole);
        else if (len > 3)
            assert_string_equal(text + got - 3, "...");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_name),       cmocka_unit_test(unknown_handles),
        cmocka_unit_test(named_integers),       cmocka_unit_test(every_width),
        cmocka_unit_test(stops_at_the_unknown), cmocka_unit_test(cut_cleanly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
