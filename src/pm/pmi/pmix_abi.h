/* pmix_abi.h — the part of PMIx's binary interface that this client uses.
 *
 * It is that of libpmix.so.2, which the versions 2 to 5 of PMIx have, and is declared here so that
 * no header of PMIx is needed to build. test/pm/pmi/pmix_abi.c compares it with the header. Values
 * have grown between the versions 2 and 3: of an array of them, or of pmix_abi_info, version 2 sees
 * the first element alone. */
#ifndef PMIX_ABI_H
#define PMIX_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PMIX_ABI_NAME = 256, PMIX_ABI_KEY = 512 }; /* bytes with the NUL */

enum { /* results */
       PMIX_ABI_SUCCESS = 0,
       PMIX_ABI_PARTIAL_SUCCESS = -52,      /* of a fence: a process has ended before */
       PMIX_ABI_OPERATION_SUCCEEDED = -157, /* done, and there will be no callback */
       PMIX_ABI_LOST_CONNECTION = -61,
       PMIX_ABI_LOST_SERVER = -101 /* the same in the versions 2 and 3 */
};

enum { /* types of values */
       PMIX_ABI_BOOL = 1,
       PMIX_ABI_STRING = 3,
       PMIX_ABI_SIZE = 4,
       PMIX_ABI_INT = 6,
       PMIX_ABI_INT32 = 9,
       PMIX_ABI_INT64 = 10,
       PMIX_ABI_UINT = 11,
       PMIX_ABI_UINT16 = 13,
       PMIX_ABI_UINT32 = 14,
       PMIX_ABI_UINT64 = 15,
       PMIX_ABI_SCOPE = 32,
       PMIX_ABI_PROC_RANK = 40
};

enum { PMIX_ABI_REMOTE = 2, PMIX_ABI_GLOBAL = 3 }; /* scope: for other nodes, for all nodes */
#define PMIX_ABI_WILDCARD  (UINT32_MAX - 1)        /* rank: the whole job */
#define PMIX_ABI_COLLECT   "pmix.collect"          /* bool: a fence passes on what was put */
#define PMIX_ABI_IMMEDIATE "pmix.immediate"        /* bool: a get does not wait for a put */
#define PMIX_ABI_SCOPE_KEY "pmix.scope"            /* scope: of the values that a get finds */
#define PMIX_ABI_JOB_SIZE  "pmix.job.size"         /* of the whole job */
#define PMIX_ABI_UNIVERSE  "pmix.univ.size"        /* likewise */
#define PMIX_ABI_APPNUM    "pmix.appnum"           /* of a process */
#define PMIX_ABI_HOST      "pmix.host"             /* string: of a program that is to be started */
#define PMIX_ABI_HOSTFILE  "pmix.hostfile"         /* likewise */
#define PMIX_ABI_WDIR      "pmix.wdir"             /* likewise */

struct pmix_abi_proc {
    char job[PMIX_ABI_NAME]; /* "namespace" */
    uint32_t rank;
};

struct pmix_abi_value {
    uint16_t type;
    union {
        bool flag;
        uint8_t scope;
        char *string;
        uint16_t uint16;
        uint32_t uint32;
        uint64_t uint64;
        size_t size;
        void *largest[3];
    } data;
};

struct pmix_abi_info {
    char key[PMIX_ABI_KEY];
    uint32_t flags;
    struct pmix_abi_value value;
};

struct pmix_abi_pdata { /* what a process has published */
    struct pmix_abi_proc proc;
    char key[PMIX_ABI_KEY];
    struct pmix_abi_value value;
};

struct pmix_abi_app { /* a program that is to be started */
    char *command;
    char **argv, **env; /* both end in NULL; argv begins with the command */
    char *cwd;
    int count;
    struct pmix_abi_info *info;
    size_t infos;
};

typedef void pmix_abi_done(int status, void *arg);
typedef void pmix_abi_spawned(int status, char *job, void *arg);
/* What a handler of events calls when it is done. */
typedef void pmix_abi_handled(int status, struct pmix_abi_info *results, size_t n,
                              pmix_abi_done *done, void *done_arg, void *arg);
typedef void pmix_abi_event(size_t handler, int status, const struct pmix_abi_proc *source,
                            struct pmix_abi_info *info, size_t infos, struct pmix_abi_info *results,
                            size_t n, pmix_abi_handled *handled, void *arg);
typedef void pmix_abi_registered(int status, size_t handler, void *arg);

/* The functions, as PMIx_Init() and so on. */
struct pmix_abi {
    int (*init)(struct pmix_abi_proc *self, struct pmix_abi_info *info, size_t n);
    int (*finalize)(const struct pmix_abi_info *info, size_t n);
    int (*abort)(int exit_code, const char *why, struct pmix_abi_proc *procs, size_t n);
    int (*put)(uint8_t scope, const char *key, struct pmix_abi_value *value);
    int (*commit)(void);
    int (*fence)(const struct pmix_abi_proc *procs, size_t n, const struct pmix_abi_info *info,
                 size_t infos, pmix_abi_done *done, void *arg);
    int (*get)(const struct pmix_abi_proc *proc, const char *key, const struct pmix_abi_info *info,
               size_t n, struct pmix_abi_value **value);
    int (*spawn)(const struct pmix_abi_info *info, size_t infos, const struct pmix_abi_app *apps,
                 size_t n, pmix_abi_spawned *done, void *arg);
    int (*handle)(int *codes, size_t n, struct pmix_abi_info *info, size_t infos,
                  pmix_abi_event *event, pmix_abi_registered *done, void *arg);
    int (*publish)(const struct pmix_abi_info *info, size_t n);
    int (*lookup)(struct pmix_abi_pdata *data, size_t n, const struct pmix_abi_info *info,
                  size_t infos);
    int (*unpublish)(char **keys, const struct pmix_abi_info *info, size_t n);
    const char *(*error_text)(int status);
};

#endif /* PMIX_ABI_H */
