/* foreign.c — a program, and a library of the name of Open MPI's that it is linked to. */
#include <stdio.h>

const char *foreign(void);

#ifdef FOREIGN_LIBRARY
const char *foreign(void) { return "started"; }
#else
int main(void) { return puts(foreign()) < 0; }
#endif
