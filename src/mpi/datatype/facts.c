/* facts.c — facts about a datatype for the Fortran library. */
#include "mpi/core/facts.h"
#include "mpi/mpir.h"

int MPIR_Type_look(const char *name, MPI_Datatype datatype, struct mpir_type_facts *facts)
{
    struct adi3_type *t;

    if (mpir_is(ADI3_DOWN))
        return 0;
    struct mpir_call call = mpir_enter(name);
    int found = mpir_type_arg(datatype, &t) == MPI_SUCCESS && t->committed;
    if (found) {
        const struct adi3_type *basic = t->predefined ? t : t->basic;
        *facts = (struct mpir_type_facts) { .size = (MPI_Aint) t->size,
                                            .extent = t->extent,
                                            .true_lb = t->true_lb,
                                            .true_extent = t->true_extent,
                                            .contig = t->contig,
                                            .basic = MPI_DATATYPE_NULL };
        if (basic && basic->predefined && basic->contig && basic->size > 0) {
            facts->basic = basic->handle;
            facts->basic_size = (MPI_Aint) basic->size;
        }
    }
    (void) mpir_leave(&call);
    return found;
}
