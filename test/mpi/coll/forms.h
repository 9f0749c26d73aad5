/* forms.h — the same call in its three forms: blocking, nonblocking, persistent. */
#ifndef FORMS_H
#define FORMS_H

#include "coll_test.h"

enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };
static enum form form; /* the form of calls by FORM() */

static inline int form_begun(int err, MPI_Request *r)
{
    return err ? err : MPI_Wait(r, MPI_STATUS_IGNORE);
}

static inline int form_made(int err, MPI_Request *r)
{
    if (err || (err = MPI_Start(r)) || (err = MPI_Wait(r, MPI_STATUS_IGNORE)))
        return err;
    return MPI_Request_free(r);
}

/* FORM(Scan, Iscan, arguments): calls MPI_Scan in that form and completes it. The result is the
 * first error. */
#define FORM(name, iname, ...)                                                                     \
    (form == BLOCKING ? MPI_##name(__VA_ARGS__)                                                    \
     : form == NONBLOCKING                                                                         \
         ? form_begun(MPI_##iname(__VA_ARGS__, &form_request), &form_request)                      \
         : form_made(MPI_##name##_init(__VA_ARGS__, MPI_INFO_NULL, &form_request), &form_request))
static MPI_Request form_request;

#endif /* FORMS_H */
