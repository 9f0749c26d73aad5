/* pmi2_client.c — a PMI-2 client by Slurm's libpmi2, for tests of mpiexec.
 *
 * pmi2_client           init, exchange of values, attributes, names, finalize
 * pmi2_client abort     rank 1 aborts the job, the other ranks wait in a fence */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <slurm/pmi2.h>

static int rank, size;

#define NEED(c)                                                                                    \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            fprintf(stderr, "pmi2_client: rank %d, line %d: %s\n", rank, __LINE__, #c);            \
            exit(9);                                                                               \
        }                                                                                          \
    } while (0)

/* The value of a rank: texts of several lengths with blanks and semicolons in them. */
static void value_of(int of, char text[PMI2_MAX_VALLEN])
{
    size_t n = (size_t) (of * 341) % PMI2_MAX_VALLEN;

    for (size_t i = 0; i < n; i++)
        text[i] = i % 7 ? (char) ('a' + (i + (size_t) of) % 26) : i % 2 ? ' ' : ';';
    text[n] = '\0';
}

static void exchange(void)
{
    char key[32], mine[PMI2_MAX_VALLEN], theirs[PMI2_MAX_VALLEN], want[PMI2_MAX_VALLEN], id[256];
    int len;

    NEED(!PMI2_Job_GetId(id, sizeof id));
    snprintf(key, sizeof key, "value %d", rank);
    value_of(rank, mine);
    NEED(!PMI2_KVS_Put(key, mine));
    NEED(!PMI2_KVS_Fence());
    for (int i = 0; i < size; i++) {
        snprintf(key, sizeof key, "value %d", i);
        value_of(i, want);
        NEED(!PMI2_KVS_Get(i % 2 ? id : NULL, PMI2_ID_NULL, key, theirs, sizeof theirs, &len));
        NEED(!strcmp(theirs, want) && len == (int) strlen(want));
    }
    NEED(PMI2_KVS_Get(id, PMI2_ID_NULL, "no-such-key", theirs, sizeof theirs, &len));
}

static void attributes(void)
{
    char value[PMI2_MAX_VALLEN];
    int found, ranks[1024], count;

    NEED(!PMI2_Info_GetJobAttr("PMI_process_mapping", value, sizeof value, &found) && found);
    NEED(!strncmp(value, "(vector,", 8));
    NEED(!PMI2_Info_GetJobAttr("no such attribute", value, sizeof value, &found) && !found);
    NEED(!PMI2_Info_GetNodeAttrIntArray("localRanks", ranks, 1024, &count, &found) && found);
    NEED(count == size && ranks[rank] == rank);
    if (!rank)
        NEED(!PMI2_Info_PutNodeAttr("segment", "/dev/shm/a b"));
    NEED(!PMI2_Info_GetNodeAttr("segment", value, sizeof value, &found, 1) && found);
    NEED(!strcmp(value, "/dev/shm/a b"));
}

static void names(void)
{
    char port[256] = "";

    NEED(!PMI2_Nameserv_publish("my service", NULL, "tag#0$host$"));
    NEED(PMI2_Nameserv_publish("my service", NULL, "other"));
    NEED(!PMI2_Nameserv_lookup("my service", NULL, port, sizeof port));
    NEED(!strcmp(port, "tag#0$host$"));
    NEED(!PMI2_Nameserv_unpublish("my service", NULL));
    NEED(PMI2_Nameserv_lookup("my service", NULL, port, sizeof port));
}

static void spawn(void)
{
    const char *const command[] = { "/bin/true", "/no/such/program" }, **no_arguments = NULL;
    const struct MPID_Info *no_info = NULL;
    int none = 0, two = 2, error[2] = { 7, 7 };
    char id[256] = "";

    for (int wrong = 0; wrong < 2; wrong++) {
        const char *which = command[wrong];
        int err = PMI2_Job_Spawn(1, &which, &none, &no_arguments, &two, &none, &no_info, 0, NULL,
                                 id, sizeof id, error);
        NEED(!err == !wrong);
        if (!wrong)
            NEED(!strncmp(id, "starling_", 9) && !error[0] && !error[1]);
    }
}

int main(int argc, char **argv)
{
    int spawned, appnum;

    (void) argv;
    NEED(!PMI2_Init(&spawned, &size, &rank, &appnum) && !spawned);
    exchange();
    attributes();
    if (!rank) {
        names();
        spawn();
    }
    if (argc > 1 && rank == 1)
        PMI2_Abort(1, "as it should; really");
    NEED(!PMI2_KVS_Fence());
    NEED(!PMI2_Finalize());
    printf("client %d of %d, appnum %d\n", rank, size, appnum);
    return 0;
}
