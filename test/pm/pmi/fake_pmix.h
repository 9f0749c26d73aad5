/* fake_pmix.h — what a test decides about the libpmix.so.2 of fake_pmix.c, and learns from it. */
#ifndef FAKE_PMIX_H
#define FAKE_PMIX_H

#include "pm/pmi/pmix_abi.h"

struct fake_pmix {
    /* Results of its functions. */
    int init, put, commit, get, fence, fence_result, abort, finalize, spawn, publish, unpublish;
    bool fence_waits;                             /* until the test calls fence_done */
    uint32_t rank;                                /* of this process */
    struct pmix_abi_value job_size;               /* type 0: not known; also for the others */
    struct pmix_abi_value universe, appnum, text; /* text: of any other key */
    char key[PMIX_ABI_KEY], value[8192];          /* of the last put */
    struct pmix_abi_proc asked;                   /* by the last get */
    bool collects, immediate;                     /* of the last fence and get */
    int scope;                                    /* of the last get or put; 0: any */
    pmix_abi_done *fence_done;
    /* The only name, "" for none, of this job. */
    char service[PMIX_ABI_KEY], port[512], publisher[PMIX_ABI_NAME];
    uint32_t publisher_rank;
    const struct pmix_abi_app *apps; /* of the last spawn */
    size_t app_count;
    pmix_abi_spawned *spawned;
    void *spawned_arg;
    pmix_abi_event *event;
    int codes[8], events;
    int exit_code;
    char why[256];
    bool committed, finalized;
    bool signals_blocked; /* while init ran */
};

#endif /* FAKE_PMIX_H */
