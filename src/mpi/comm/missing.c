/* missing.c — functions of mpi.h that are still to come: the tool interface (chapter 14).
 *
 * Programs that name them link, and run as long as they do not need them: a call is an error.
 * tools/api-status lists them as missing, by the names in MISSING() and NO_TOOL() here. */
#include "mpi/mpir.h"

#define MISSING(name, ...)                                                                         \
    int PMPI_##name(__VA_ARGS__) __attribute__((weak));                                            \
    MPIR_WEAK(name);                                                                               \
    int PMPI_##name(__VA_ARGS__)

/* Its errors go to no handler. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define NO_TOOL(name, ...)                                                                         \
    MISSING(name, __VA_ARGS__) { return MPI_T_ERR_NOT_INITIALIZED; }

MISSING(T_init_thread, int required, int *provided) { return MPI_T_ERR_CANNOT_INIT; }
NO_TOOL(T_finalize, void)
NO_TOOL(T_enum_get_info, MPI_T_enum enumtype, int *num, char *name, int *name_len)
NO_TOOL(T_enum_get_item, MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len)
NO_TOOL(T_cvar_get_num, int *num_cvar)
NO_TOOL(T_cvar_get_info, int cvar_index, char *name, int *name_len, int *verbosity,
        MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
        int *scope)
NO_TOOL(T_cvar_get_index, const char *name, int *cvar_index)
NO_TOOL(T_cvar_handle_alloc, int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle,
        int *count)
NO_TOOL(T_cvar_handle_free, MPI_T_cvar_handle *handle)
NO_TOOL(T_cvar_read, MPI_T_cvar_handle handle, void *buf)
NO_TOOL(T_cvar_write, MPI_T_cvar_handle handle, const void *buf)
NO_TOOL(T_pvar_get_num, int *num_pvar)
NO_TOOL(T_pvar_get_info, int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
        MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
        int *readonly, int *continuous, int *atomic)
NO_TOOL(T_pvar_get_index, const char *name, int var_class, int *pvar_index)
NO_TOOL(T_pvar_session_create, MPI_T_pvar_session *session)
NO_TOOL(T_pvar_session_free, MPI_T_pvar_session *session)
NO_TOOL(T_pvar_handle_alloc, MPI_T_pvar_session session, int pvar_index, void *obj_handle,
        MPI_T_pvar_handle *handle, int *count)
NO_TOOL(T_pvar_handle_free, MPI_T_pvar_session session, MPI_T_pvar_handle *handle)
NO_TOOL(T_pvar_start, MPI_T_pvar_session session, MPI_T_pvar_handle handle)
NO_TOOL(T_pvar_stop, MPI_T_pvar_session session, MPI_T_pvar_handle handle)
NO_TOOL(T_pvar_read, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
NO_TOOL(T_pvar_write, MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf)
NO_TOOL(T_pvar_reset, MPI_T_pvar_session session, MPI_T_pvar_handle handle)
NO_TOOL(T_pvar_readreset, MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf)
NO_TOOL(T_category_get_num, int *num_cat)
NO_TOOL(T_category_get_info, int cat_index, char *name, int *name_len, char *desc, int *desc_len,
        int *num_cvars, int *num_pvars, int *num_categories)
NO_TOOL(T_category_get_index, const char *name, int *cat_index)
NO_TOOL(T_category_get_cvars, int cat_index, int len, int indices[])
NO_TOOL(T_category_get_pvars, int cat_index, int len, int indices[])
NO_TOOL(T_category_get_categories, int cat_index, int len, int indices[])
NO_TOOL(T_category_changed, int *update_number)
