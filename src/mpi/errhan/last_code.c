#include "errhan.h"

/* The largest class: the last of the program's own, if there is one (§8.5). */
int mpir_last_used_code = MPI_ERR_LASTCODE;
