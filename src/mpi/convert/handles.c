/* handles.c — conversion of handles between C and Fortran (§17.2.4).
 *
 * Both are the same integers, also when they are invalid. Nothing is checked, so all functions
 * may be called at any time and from any thread. */
#include "mpi/mpir.h"

/* Converts a C handle of a communicator to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Comm_c2f(MPI_Comm comm) { return comm; }
MPIR_WEAK(Comm_c2f);

/* Converts a Fortran handle of a communicator to a C handle (§17.2.4). */
MPI_Comm PMPI_Comm_f2c(MPI_Fint comm) { return comm; }
MPIR_WEAK(Comm_f2c);

/* Converts a C handle of a datatype to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Type_c2f(MPI_Datatype datatype) { return datatype; }
MPIR_WEAK(Type_c2f);

/* Converts a Fortran handle of a datatype to a C handle (§17.2.4). */
MPI_Datatype PMPI_Type_f2c(MPI_Fint datatype) { return datatype; }
MPIR_WEAK(Type_f2c);

/* Converts a C handle of a group to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Group_c2f(MPI_Group group) { return group; }
MPIR_WEAK(Group_c2f);

/* Converts a Fortran handle of a group to a C handle (§17.2.4). */
MPI_Group PMPI_Group_f2c(MPI_Fint group) { return group; }
MPIR_WEAK(Group_f2c);

/* Converts a C handle of a request to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Request_c2f(MPI_Request request) { return request; }
MPIR_WEAK(Request_c2f);

/* Converts a Fortran handle of a request to a C handle (§17.2.4). */
MPI_Request PMPI_Request_f2c(MPI_Fint request) { return request; }
MPIR_WEAK(Request_f2c);

/* Converts a C handle of a window to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Win_c2f(MPI_Win win) { return win; }
MPIR_WEAK(Win_c2f);

/* Converts a Fortran handle of a window to a C handle (§17.2.4). */
MPI_Win PMPI_Win_f2c(MPI_Fint win) { return win; }
MPIR_WEAK(Win_f2c);

/* Converts a C handle of a reduction operation to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Op_c2f(MPI_Op op) { return op; }
MPIR_WEAK(Op_c2f);

/* Converts a Fortran handle of a reduction operation to a C handle (§17.2.4). */
MPI_Op PMPI_Op_f2c(MPI_Fint op) { return op; }
MPIR_WEAK(Op_f2c);

/* Converts a C handle of an info object to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Info_c2f(MPI_Info info) { return info; }
MPIR_WEAK(Info_c2f);

/* Converts a Fortran handle of an info object to a C handle (§17.2.4). */
MPI_Info PMPI_Info_f2c(MPI_Fint info) { return info; }
MPIR_WEAK(Info_f2c);

/* Converts a C handle of an error handler to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Errhandler_c2f(MPI_Errhandler errhandler) { return errhandler; }
MPIR_WEAK(Errhandler_c2f);

/* Converts a Fortran handle of an error handler to a C handle (§17.2.4). */
MPI_Errhandler PMPI_Errhandler_f2c(MPI_Fint errhandler) { return errhandler; }
MPIR_WEAK(Errhandler_f2c);

/* Converts a C handle of a message to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_Message_c2f(MPI_Message message) { return message; }
MPIR_WEAK(Message_c2f);

/* Converts a Fortran handle of a message to a C handle (§17.2.4). */
MPI_Message PMPI_Message_f2c(MPI_Fint message) { return message; }
MPIR_WEAK(Message_f2c);

/* A file is a pointer in C: the number of its object, which is its handle in Fortran. MPI_FILE_NULL
 * is 0 in both. */

/* Converts a C handle of a file to a Fortran handle (§17.2.4). */
MPI_Fint PMPI_File_c2f(MPI_File file) { return (MPI_Fint) (intptr_t) file; }
MPIR_WEAK(File_c2f);

/* Converts a Fortran handle of a file to a C handle (§17.2.4). */
MPI_File PMPI_File_f2c(MPI_Fint file) { return (MPI_File) (uintptr_t) (unsigned) file; }
MPIR_WEAK(File_f2c);
