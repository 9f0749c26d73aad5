/* pmix_abi.c — our declarations of PMIx's binary interface are those of PMIx's own header. */
#include <pmix.h>
#include "pm/pmi/pmix_abi.h"

#define SAME(ours, theirs) _Static_assert((ours) == (theirs), #ours " is not " #theirs)
/* libpmix may copy all of a struct. */
#define HOLDS(ours, theirs) _Static_assert(sizeof(ours) >= sizeof(theirs), #ours)
#define SAME_FIELD(ours, mine, theirs, its)                                                        \
    SAME(offsetof(struct ours, mine), offsetof(theirs, its));                                      \
    SAME(sizeof(((struct ours *) NULL)->mine), sizeof(((theirs *) NULL)->its))

SAME(PMIX_ABI_SUCCESS, PMIX_SUCCESS);
SAME(PMIX_ABI_PARTIAL_SUCCESS, PMIX_ERR_PARTIAL_SUCCESS);
SAME(PMIX_ABI_OPERATION_SUCCEEDED, PMIX_OPERATION_SUCCEEDED);
SAME(PMIX_ABI_LOST_CONNECTION, PMIX_ERR_LOST_CONNECTION);
SAME(PMIX_ABI_BOOL, PMIX_BOOL);
SAME(PMIX_ABI_STRING, PMIX_STRING);
SAME(PMIX_ABI_SIZE, PMIX_SIZE);
SAME(PMIX_ABI_INT, PMIX_INT);
SAME(PMIX_ABI_INT32, PMIX_INT32);
SAME(PMIX_ABI_INT64, PMIX_INT64);
SAME(PMIX_ABI_UINT, PMIX_UINT);
SAME(PMIX_ABI_UINT16, PMIX_UINT16);
SAME(PMIX_ABI_UINT32, PMIX_UINT32);
SAME(PMIX_ABI_UINT64, PMIX_UINT64);
SAME(PMIX_ABI_PROC_RANK, PMIX_PROC_RANK);
SAME(PMIX_ABI_SCOPE, PMIX_SCOPE);
SAME(PMIX_ABI_REMOTE, PMIX_REMOTE);
SAME(PMIX_ABI_GLOBAL, PMIX_GLOBAL);
SAME(PMIX_ABI_WILDCARD, PMIX_RANK_WILDCARD);

SAME(sizeof(struct pmix_abi_proc), sizeof(pmix_proc_t));
SAME_FIELD(pmix_abi_proc, job, pmix_proc_t, nspace);
SAME_FIELD(pmix_abi_proc, rank, pmix_proc_t, rank);
SAME_FIELD(pmix_abi_pdata, proc, pmix_pdata_t, proc);
SAME_FIELD(pmix_abi_pdata, key, pmix_pdata_t, key);
SAME(offsetof(struct pmix_abi_pdata, value), offsetof(pmix_pdata_t, value));
HOLDS(struct pmix_abi_value, pmix_value_t);
SAME_FIELD(pmix_abi_value, type, pmix_value_t, type);
SAME_FIELD(pmix_abi_value, data.flag, pmix_value_t, data.flag);
SAME_FIELD(pmix_abi_value, data.scope, pmix_value_t, data.scope);
SAME_FIELD(pmix_abi_value, data.string, pmix_value_t, data.string);
SAME_FIELD(pmix_abi_value, data.uint16, pmix_value_t, data.uint16);
SAME_FIELD(pmix_abi_value, data.uint32, pmix_value_t, data.integer);
SAME_FIELD(pmix_abi_value, data.uint32, pmix_value_t, data.rank);
SAME_FIELD(pmix_abi_value, data.uint64, pmix_value_t, data.uint64);
SAME_FIELD(pmix_abi_value, data.size, pmix_value_t, data.size);
SAME(sizeof(struct pmix_abi_info), sizeof(pmix_info_t)); /* of arrays, from version 3 on */
SAME_FIELD(pmix_abi_info, key, pmix_info_t, key);
SAME_FIELD(pmix_abi_info, flags, pmix_info_t, flags);
SAME(offsetof(struct pmix_abi_info, value), offsetof(pmix_info_t, value));

SAME(sizeof(struct pmix_abi_app), sizeof(pmix_app_t));
SAME_FIELD(pmix_abi_app, command, pmix_app_t, cmd);
SAME_FIELD(pmix_abi_app, argv, pmix_app_t, argv);
SAME_FIELD(pmix_abi_app, env, pmix_app_t, env);
SAME_FIELD(pmix_abi_app, cwd, pmix_app_t, cwd);
SAME_FIELD(pmix_abi_app, count, pmix_app_t, maxprocs);
SAME_FIELD(pmix_abi_app, info, pmix_app_t, info);
SAME_FIELD(pmix_abi_app, infos, pmix_app_t, ninfo);

#define SAME_KEY(ours, theirs)                                                                     \
    _Static_assert(sizeof(ours) == sizeof(theirs) && !__builtin_strcmp(ours, theirs), #ours)
SAME_KEY(PMIX_ABI_COLLECT, PMIX_COLLECT_DATA);
SAME_KEY(PMIX_ABI_IMMEDIATE, PMIX_IMMEDIATE);
SAME_KEY(PMIX_ABI_SCOPE_KEY, PMIX_DATA_SCOPE);
SAME_KEY(PMIX_ABI_JOB_SIZE, PMIX_JOB_SIZE);
SAME_KEY(PMIX_ABI_UNIVERSE, PMIX_UNIV_SIZE);
SAME_KEY(PMIX_ABI_APPNUM, PMIX_APPNUM);
SAME_KEY(PMIX_ABI_HOST, PMIX_HOST);
SAME_KEY(PMIX_ABI_HOSTFILE, PMIX_HOSTFILE);
SAME_KEY(PMIX_ABI_WDIR, PMIX_WDIR);
