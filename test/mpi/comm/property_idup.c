/* property_idup.c — G04: as property.c, with communicators that are begun by MPI_Comm_idup and
 * completed later, while others are made and freed, the one they are made of included.
 * MPICH 4.0 fails: it crashes. */
#include "property.h"

int main(int argc, char **argv) { return property(&argc, &argv, 1); }
