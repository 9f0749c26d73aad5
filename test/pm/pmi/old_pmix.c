/* old_pmix.c — a libpmix.so.2 that lacks most functions. */

const char *PMIx_Get_version(void);

const char *PMIx_Get_version(void) { return "1.0"; }
