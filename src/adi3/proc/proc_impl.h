/* proc_impl.h — shared between the files of src/adi3/proc, and no others. */
#ifndef PROC_IMPL_H
#define PROC_IMPL_H

#include "adi3/proc/proc.h"

extern struct dev_env proc_env; /* what devices get in open() */
extern const char *adi3_setting_devices;
extern int adi3_setting_peer_timeout; /* seconds */

/* describe.c */
enum { PROC_PLACE = 2 * ADI3_TITLE };
/* Names a process and, as far as it is known, its host. Returns text. */
const char *proc_title_on_host(const struct adi3_proc *p, char text[PROC_PLACE]);

/* devices.c */
int devices_check_setting(void);  /* errors of STARLING_DEVICES */
int devices_open(bool node_only); /* node_only: the devices limited to this node; else the rest */
/* Makes the open devices reachable from other nodes. Returns the first error of a device. */
int devices_widen(void);
void devices_close(void);                            /* all of them */
void devices_forget_job(const struct proc_job *job); /* whose peers have been forgotten */

/* append_number.c */
void text_append_number(char *text, int n); /* not negative */

/* abi.c */
enum { ABI_TEXT = 64 };
void abi_write(char text[ABI_TEXT]); /* of this process: printable, without blanks */
/* Compares the text of another process, which is named in the error. Errors: MPI_ERR_OTHER. */
int abi_compare(const char *text, const char *whose);

/* business_card.c */
void business_card_publish_here(int dev); /* of an open device, for the processes of this node */
int business_card_publish(void);          /* for the processes of other nodes */
int business_card_take_keys(void);        /* sets the id and the secret of proc_own_job */
/* The business card of a process of our own job. */
char *business_card_of_launcher(const struct proc_job *job, int rank);
/* The business card of a process on another node: endpoint addresses, each ended by a zero byte,
 * and an empty one behind them; NULL when it has published none. The caller frees it. */
char *business_card_fetch(const struct adi3_proc *p);
const char *business_card_find(const char *card, const char *name); /* an address, or NULL */
/* Whether the business card of a process of another job is that process's. Errors:
 * MPI_ERR_OTHER. */
int business_card_check(const struct adi3_proc *p, const char *card);
int business_card_node(const struct adi3_proc *p); /* lowest rank on its node; -1: not known */
uint64_t business_card_node_id(const struct adi3_proc *p); /* 0: not known */
/* The address of a process for a device; NULL when that process did not open the device. card: of a
 * process on another node. */
const char *business_card_endpoint(const struct dev_peer *peer, const char *card,
                                   const struct adi3_dev *d);

/* node_map.c */
enum { NODE_LIST = 600 }; /* bytes of a text that fits a request to the launcher */
/* Writes sorted ranks from this index on as "0-15,20,30-60:10", behind the first of all, as far as
 * there is room. Returns the index of the first rank that has none. */
int node_map_write(const int *rank, int count, int from, char text[NODE_LIST]);
int node_map_publish(void); /* for the processes of other nodes */
/* Sets node[] of each rank that is in the launcher's lists, if it has any, to 1 + the first rank of
 * the list of its node. Errors: MPI_ERR_OTHER. */
int node_map_fetch(int *node);
int node_map_read(const char *text, int *node); /* of a text: "0-3,8;4-7;" is two nodes */

/* node_table.c */
void node_table_leave(void); /* before the segment is left */

/* jobs.c */
int jobs_init(void); /* makes the table, with our own job */
/* Sets what is 0 of a process of our job: proc_node() and proc_local(), too. */
void jobs_know(struct adi3_proc *p, const struct dev_node *node, int index);
void jobs_forget(
    struct proc_job *job); /* frees it: no group has processes of it, no device knows it */
/* All is again as if p, of another job, had never been talked to. */
void jobs_begin_process(struct adi3_proc *p);
void jobs_free(void);

/* node.c */
enum { NODE_KEYS = DEV_SECRET + 8 };      /* bytes: the job's secret and its id */
int node_join(const struct pmi_job *job); /* makes or finds the segment, and takes a slot in it */
void node_ready(void); /* after the first barrier: all processes of the node have joined */
void node_leave(void);
void node_rewind(void); /* frees what devices and blocks took: all processes have closed devices */
char *node_endpoint(const struct dev_node *n, int index, int dev); /* DEV_ENDPOINT_MAX bytes */
const unsigned char *node_keys(void); /* NODE_KEYS bytes, of the process that made the segment */
int node_leader(const struct dev_node *n); /* the lowest rank of its job there */
uint64_t node_id_here(void);               /* of this node: see node_id.c; 0: not known */
const struct os_cpus *node_cpus(const struct dev_node *n, int index);

enum { NODE_HEADROOM = 16 << 20 };         /* bytes of memory that are left to others */
void node_write_hex(char *to, uint64_t x); /* 16 digits and the end */

/* share_socket.c */
void share_socket_close(void);

/* neighbor.c */
void neighbors_leave(void);

#endif /* PROC_IMPL_H */
