/* proc_impl.h — shared between the files of src/adi3/proc, and no others. */
#ifndef PROC_IMPL_H
#define PROC_IMPL_H

#include "proc.h"

extern struct dev_env proc_env;
extern const char *adi3_setting_devices;
extern int adi3_setting_peer_timeout; /* seconds */

/* devices.c */
int devices_check_setting(void); /* the words of STARLING_DEVICES */
int devices_open(bool node_only);
void devices_close(void);

/* business_card.c */
void business_card_publish_here(void); /* for the processes of this node, ... */
int business_card_publish(void);       /* ... for those of others */
int business_card_take_secret(void);   /* the node's, or with several nodes that of process 0's */
/* The business card of a process elsewhere: endpoint addresses, each ended by a zero byte, an empty
 * one behind them; NULL when it has published none. The caller frees it. */
char *business_card_fetch(const struct adi3_proc *p);
const char *business_card_find(const char *card, const char *name); /* an address; or NULL */
int business_card_node(const struct adi3_proc *p); /* lowest rank on its node; -1: not known */
/* A process's address for a device; NULL when it did not open that. */
const char *business_card_endpoint(const struct adi3_proc *p, const char *card,
                                   const struct adi3_dev *d);

/* node.c */
int node_join(const struct pmi_job *job); /* makes the segment or finds it; then publish, barrier */
void node_ready(void);                    /* all are here: count is final */
void node_leave(void);
void node_rewind(void); /* what devices took is free again: all processes have closed them */
char *node_endpoint(int index, int dev); /* DEV_ENDPOINT_MAX bytes */
const unsigned char *node_secret(void);
const struct os_cpus *node_cpus(int index);

#endif /* PROC_IMPL_H */
