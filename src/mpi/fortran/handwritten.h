/* handwritten.h — the functions that tools/fortran/fortran_c.py does not generate, and what the
 * generated file needs.
 *
 * f_x() does the work of mpi_x_ and pmpi_x_: call is MPI_x or PMPI_x, the others are Fortran's
 * arguments. Each returns what becomes ierror. */
#ifndef HANDWRITTEN_H
#define HANDWRITTEN_H

#include "mpi/fortran/fortran.h"
#include "mpi/core/hooks.h"

typedef void f_procedure(void);

/* A further name of a function of the same file; one that a tool may take. */
#define F_WEAK __attribute__((weak))
#define F_ALIAS(function, name)                                                                    \
    extern __typeof__(function) name __attribute__((weak, alias(#function)))
#define F_F08(function, name) extern __typeof__(function) name __attribute__((alias(#function)))
#define F_CALL(name)          __typeof__(P##name) *call

#pragma GCC visibility push(hidden)

/* A procedure of MPI that programs pass, known by its address, and what C has for it. */
struct f_predefined {
    f_procedure *fortran, *c;
};
extern const struct f_predefined f_predefined[];
extern const size_t f_predefined_count;

/* callbacks.c: the languages of procedures: with addresses, and with INTEGERs as MPI-1 had them. */
extern const struct adi3_language f_language, f_language_integer;
/* What C is given for a procedure: the C function that it means, or itself. */
f_procedure *f_callback(f_procedure *f);

/* keyvals.c */
int f_comm_create_keyval(F_CALL(MPI_Comm_create_keyval), f_procedure *copy, f_procedure *del,
                         MPI_Fint *keyval, MPI_Aint *extra);
int f_type_create_keyval(F_CALL(MPI_Type_create_keyval), f_procedure *copy, f_procedure *del,
                         MPI_Fint *keyval, MPI_Aint *extra);
int f_win_create_keyval(F_CALL(MPI_Win_create_keyval), f_procedure *copy, f_procedure *del,
                        MPI_Fint *keyval, MPI_Aint *extra);
int f_keyval_create(F_CALL(MPI_Keyval_create), f_procedure *copy, f_procedure *del,
                    MPI_Fint *keyval, MPI_Fint *extra);

/* attributes.c */
int f_comm_set_attr(F_CALL(MPI_Comm_set_attr), MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value);
int f_type_set_attr(F_CALL(MPI_Type_set_attr), MPI_Fint *type, MPI_Fint *keyval, MPI_Aint *value);
int f_win_set_attr(F_CALL(MPI_Win_set_attr), MPI_Fint *win, MPI_Fint *keyval, MPI_Aint *value);
int f_attr_put(F_CALL(MPI_Attr_put), MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value);
int f_comm_get_attr(F_CALL(MPI_Comm_get_attr), MPI_Fint *comm, MPI_Fint *keyval, MPI_Aint *value,
                    MPI_Fint *flag);
int f_type_get_attr(F_CALL(MPI_Type_get_attr), MPI_Fint *type, MPI_Fint *keyval, MPI_Aint *value,
                    MPI_Fint *flag);
int f_win_get_attr(F_CALL(MPI_Win_get_attr), MPI_Fint *win, MPI_Fint *keyval, MPI_Aint *value,
                   MPI_Fint *flag);
int f_attr_get(F_CALL(MPI_Attr_get), MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value,
               MPI_Fint *flag);

/* create.c */
int f_op_create(F_CALL(MPI_Op_create), f_procedure *f, MPI_Fint *commute, MPI_Fint *op);
int f_comm_create_errhandler(F_CALL(MPI_Comm_create_errhandler), f_procedure *f,
                             MPI_Fint *errhandler);
int f_win_create_errhandler(F_CALL(MPI_Win_create_errhandler), f_procedure *f,
                            MPI_Fint *errhandler);
int f_file_create_errhandler(F_CALL(MPI_File_create_errhandler), f_procedure *f,
                             MPI_Fint *errhandler);
int f_errhandler_create(F_CALL(MPI_Errhandler_create), f_procedure *f, MPI_Fint *errhandler);
int f_grequest_start(F_CALL(MPI_Grequest_start), f_procedure *query, f_procedure *free_fn,
                     f_procedure *cancel, MPI_Aint *extra, MPI_Fint *request);
int f_register_datarep(F_CALL(MPI_Register_datarep), char *name, f_procedure *read,
                       f_procedure *write, f_procedure *extent, MPI_Aint *extra, size_t name_len);

/* removed.c */
int f_address(F_CALL(MPI_Address), void *location, MPI_Fint *address);
int f_type_extent(F_CALL(MPI_Type_extent), MPI_Fint *type, MPI_Fint *extent);
int f_type_lb(F_CALL(MPI_Type_lb), MPI_Fint *type, MPI_Fint *displacement);
int f_type_ub(F_CALL(MPI_Type_ub), MPI_Fint *type, MPI_Fint *displacement);
int f_type_hvector(F_CALL(MPI_Type_hvector), MPI_Fint *count, MPI_Fint *blocklength,
                   MPI_Fint *stride, MPI_Fint *oldtype, MPI_Fint *newtype);
int f_type_hindexed(F_CALL(MPI_Type_hindexed), MPI_Fint *count, MPI_Fint *blocklengths,
                    MPI_Fint *displacements, MPI_Fint *oldtype, MPI_Fint *newtype);
int f_type_struct(F_CALL(MPI_Type_struct), MPI_Fint *count, MPI_Fint *blocklengths,
                  MPI_Fint *displacements, MPI_Fint *types, MPI_Fint *newtype);

/* outputs.c */
int f_waitsome(F_CALL(MPI_Waitsome), MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount,
               MPI_Fint *indices, MPI_Fint *statuses);
int f_testsome(F_CALL(MPI_Testsome), MPI_Fint *incount, MPI_Fint *requests, MPI_Fint *outcount,
               MPI_Fint *indices, MPI_Fint *statuses);
int f_buffer_detach(F_CALL(MPI_Buffer_detach), void *buffer_addr, MPI_Fint *size);
int f_cart_get(F_CALL(MPI_Cart_get), MPI_Fint *comm, MPI_Fint *maxdims, MPI_Fint *dims,
               MPI_Fint *periods, MPI_Fint *coords);
int f_info_get(F_CALL(MPI_Info_get), MPI_Fint *info, char *key, MPI_Fint *valuelen, char *value,
               MPI_Fint *flag, size_t key_len, size_t value_len);

/* spawn.c */
int f_comm_spawn(F_CALL(MPI_Comm_spawn), char *command, char *argv, MPI_Fint *maxprocs,
                 MPI_Fint *info, MPI_Fint *root, MPI_Fint *comm, MPI_Fint *intercomm,
                 MPI_Fint *errcodes, size_t command_len, size_t argv_len);
int f_comm_spawn_multiple(F_CALL(MPI_Comm_spawn_multiple), MPI_Fint *count, char *commands,
                          char *argvs, MPI_Fint *maxprocs, MPI_Fint *infos, MPI_Fint *root,
                          MPI_Fint *comm, MPI_Fint *intercomm, MPI_Fint *errcodes,
                          size_t commands_len, size_t argvs_len);

#pragma GCC visibility pop

#endif /* HANDWRITTEN_H */
