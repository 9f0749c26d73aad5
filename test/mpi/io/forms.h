/* forms.h — one access to a file in every form that has an individual pointer or an offset. */
#ifndef FORMS_H
#define FORMS_H

#include "io.h"

enum form { PLAIN, AT, ALL, AT_ALL, IPLAIN, IAT, IALL, IAT_ALL, SPLIT, SPLIT_AT, FORMS };

struct request_of { /* one access: at is ignored by forms that use the pointer */
    bool writes;
    enum form form;
    MPI_Offset at;
    void *buf;
    int count;
    MPI_Datatype type;
};

static inline bool uses_pointer(enum form f)
{
    return f == PLAIN || f == ALL || f == IPLAIN || f == IALL || f == SPLIT;
}

static inline bool collective(enum form f)
{
    return f == ALL || f == AT_ALL || f == IALL || f == IAT_ALL || f == SPLIT || f == SPLIT_AT;
}

static inline bool nonblocking(enum form f) { return f >= IPLAIN && f <= IAT_ALL; }

static inline void start_write(MPI_File f, const struct request_of *a, MPI_Request *r)
{
    if (a->form == IPLAIN)
        OK(MPI_File_iwrite(f, a->buf, a->count, a->type, r));
    else if (a->form == IAT)
        OK(MPI_File_iwrite_at(f, a->at, a->buf, a->count, a->type, r));
    else if (a->form == IALL)
        OK(MPI_File_iwrite_all(f, a->buf, a->count, a->type, r));
    else
        OK(MPI_File_iwrite_at_all(f, a->at, a->buf, a->count, a->type, r));
}

static inline void start_read(MPI_File f, const struct request_of *a, MPI_Request *r)
{
    if (a->form == IPLAIN)
        OK(MPI_File_iread(f, a->buf, a->count, a->type, r));
    else if (a->form == IAT)
        OK(MPI_File_iread_at(f, a->at, a->buf, a->count, a->type, r));
    else if (a->form == IALL)
        OK(MPI_File_iread_all(f, a->buf, a->count, a->type, r));
    else
        OK(MPI_File_iread_at_all(f, a->at, a->buf, a->count, a->type, r));
}

/* Starts a nonblocking form. */
static inline void start(MPI_File f, const struct request_of *a, MPI_Request *r)
{
    CHECK(nonblocking(a->form));
    if (a->writes)
        start_write(f, a, r);
    else
        start_read(f, a, r);
}

static inline void do_write(MPI_File f, const struct request_of *a, MPI_Status *s)
{
    if (a->form == PLAIN)
        OK(MPI_File_write(f, a->buf, a->count, a->type, s));
    else if (a->form == AT)
        OK(MPI_File_write_at(f, a->at, a->buf, a->count, a->type, s));
    else if (a->form == ALL)
        OK(MPI_File_write_all(f, a->buf, a->count, a->type, s));
    else if (a->form == AT_ALL)
        OK(MPI_File_write_at_all(f, a->at, a->buf, a->count, a->type, s));
    else if (a->form == SPLIT) {
        OK(MPI_File_write_all_begin(f, a->buf, a->count, a->type));
        OK(MPI_File_write_all_end(f, a->buf, s));
    } else {
        OK(MPI_File_write_at_all_begin(f, a->at, a->buf, a->count, a->type));
        OK(MPI_File_write_at_all_end(f, a->buf, s));
    }
}

static inline void do_read(MPI_File f, const struct request_of *a, MPI_Status *s)
{
    if (a->form == PLAIN)
        OK(MPI_File_read(f, a->buf, a->count, a->type, s));
    else if (a->form == AT)
        OK(MPI_File_read_at(f, a->at, a->buf, a->count, a->type, s));
    else if (a->form == ALL)
        OK(MPI_File_read_all(f, a->buf, a->count, a->type, s));
    else if (a->form == AT_ALL)
        OK(MPI_File_read_at_all(f, a->at, a->buf, a->count, a->type, s));
    else if (a->form == SPLIT) {
        OK(MPI_File_read_all_begin(f, a->buf, a->count, a->type));
        OK(MPI_File_read_all_end(f, a->buf, s));
    } else {
        OK(MPI_File_read_at_all_begin(f, a->at, a->buf, a->count, a->type));
        OK(MPI_File_read_at_all_end(f, a->buf, s));
    }
}

/* Does an access of any form, and waits for it. */
static inline void access_file(MPI_File f, const struct request_of *a, MPI_Status *s)
{
    MPI_Request r;

    if (nonblocking(a->form)) {
        start(f, a, &r);
        OK(MPI_Wait(&r, s));
        CHECK(r == MPI_REQUEST_NULL);
    } else if (a->writes) {
        do_write(f, a, s);
    } else {
        do_read(f, a, s);
    }
}

/* After it, every rank reads what any rank has written before it. */
static inline void settle(MPI_File f)
{
    OK(MPI_File_sync(f));
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_sync(f));
}

#endif /* FORMS_H */
