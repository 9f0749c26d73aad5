/* port.c — the ports of this process: opening and closing them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "adi3/port/port_impl.h"
#include "devices/device.h"
#include "platform/setting.h"

static struct port *ports;

struct port *port_find(const struct port_name *n)
{
    struct port *p = ports;

    while (p && p->name.local != n->local)
        p = p->next;
    return p && !memcmp(p->name.key, n->key, ADI3_KEY) ? p : NULL;
}

int port_of_name(const char *text, struct port **p)
{
    char label[MPI_MAX_PORT_NAME];
    struct port_name n;
    int err = port_name_parse(text, &n);

    if (err)
        return err;
    *p = port_find(&n);
    if (*p)
        return MPI_SUCCESS;
    return adi3_error(MPI_ERR_PORT, "the port %s is not open in this process",
                      port_label(&n, label));
}

/* ---- opening --------------------------------------------------------------------------------- */

/* The networks that the user gives the device sockets are those of ports, too. */
static const char *interface_setting(void)
{
    for (int i = 0; dev_table[i]; i++) {
        const struct setting *const table[] = { dev_table[i]->settings, NULL };
        const struct setting *s = table[0] ? setting_find(table, "SOCKETS_INTERFACE") : NULL;
        if (s)
            return *(const char *const *) s->value;
    }
    return "";
}

static int option_error(const struct adi3_port_options *o, int err)
{
    return adi3_error(MPI_ERR_INFO_VALUE, "opening a port with ip_address '%s' and ip_port %d: %s",
                      o->ip_address ? o->ip_address : "", o->ip_port,
                      err == -EADDRNOTAVAIL ? "this host has no such address or network"
                      : err == -ELIBACC     ? "this process cannot load libsodium"
                                            : strerror(-err));
}

/* A host without a network has its loopback addresses. */
static int find_addresses(struct port_name *n, const struct adi3_port_options *o)
{
    static const struct os_ip loopback = { .ip = { 127, 0, 0, 1 } };
    struct os_iface found[PORT_ADDRESSES];
    int count =
        os_ifaces(o->ip_address ? o->ip_address : interface_setting(), found, PORT_ADDRESSES);

    if (count < 0)
        return count;
    if (!count && o->ip_address)
        return -EADDRNOTAVAIL;
    for (int i = 0; i < count; i++)
        n->address[n->count++] = found[i].addr;
    if (!count)
        n->address[n->count++] = loopback;
    return 0;
}

/* Without libsodium there are no proofs, so no addresses, and none where the host has no IP, unless
 * the program demands one. */
static int listen_at_addresses(struct port *p, const struct adi3_port_options *o)
{
    struct port_name *n = &p->name;

    n->ip_port = (uint16_t) o->ip_port;
    int err = adi3_has_keys() ? find_addresses(n, o) : -ELIBACC;
    if (!err)
        p->listener[1] = err =
            os_ip_listen(n->count == 1 ? n->address : NULL, &n->ip_port, PORT_QUEUE);
    if (err >= 0)
        return MPI_SUCCESS;
    n->count = n->ip_port = 0;
    return o->ip_address || o->ip_port ? option_error(o, err) : MPI_SUCCESS;
}

static int listen_on_node(struct port *p)
{
    char local[PORT_LOCAL];

    port_local_name(&p->name, local);
    p->listener[0] = os_abstract_listen(local);
    if (p->listener[0] < 0)
        return adi3_error(MPI_ERR_PORT, "opening a port: the local socket '%s': %s", local,
                          strerror(-p->listener[0]));
    (void) listen(p->listener[0], PORT_QUEUE); /* fewer than before */
    return MPI_SUCCESS;
}

static int port_name_make(struct port_name *n)
{
    int err = adi3_random(n->key, sizeof n->key);

    if (!err)
        err = adi3_random(&n->local, sizeof n->local);
    return err;
}

int adi3_port_open(const struct adi3_port_options *o, char name[MPI_MAX_PORT_NAME])
{
    struct port *p = malloc(sizeof *p);

    assert(adi3_lock_held());
    if (!p)
        return adi3_no_memory("for a port");
    *p = (struct port) { .refs = 1, .listener = { -1, -1 } };
    int err = port_name_make(&p->name);
    if (!err)
        err = listen_on_node(p);
    if (!err)
        err = listen_at_addresses(p, o);
    if (err) {
        port_release(p);
        return err;
    }
    p->next = ports;
    ports = p;
    port_name_write(&p->name, name);
    return MPI_SUCCESS;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* A child of fork() may have a listener open as well: so it is shut down, not only closed. */
static void listener_close(int *listener)
{
    if (*listener >= 0) {
        (void) shutdown(*listener, SHUT_RDWR);
        (void) close(*listener);
    }
    *listener = -1;
}

static void connections_end(struct port *p)
{
    struct port_conn *next;

    listener_close(&p->listener[0]);
    listener_close(&p->listener[1]);
    for (struct port_conn *c = p->conns; c; c = next) {
        next = c->next;
        port_conn_close(c);
        free(c);
    }
    p->conns = NULL;
}

void port_release(struct port *p)
{
    if (--p->refs)
        return;
    connections_end(p);
    memset(&p->name, 0, sizeof p->name);
    free(p);
}

static void port_close(struct port *p)
{
    struct port **at = &ports;

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    p->closed = true;
    connections_end(p);
    port_release(p);
}

int adi3_port_close(const char *name)
{
    struct port *p;
    int err = port_of_name(name, &p);

    assert(adi3_lock_held());
    if (err)
        return err;
    port_close(p);
    port_waits_wake();
    return MPI_SUCCESS;
}

static bool any_open(void) { return ports; }

int port_init(void)
{
    static const struct base_hooks hooks = { .name = "port", .invites = any_open };
    int err = base_hooks_add(&hooks);

    if (!err)
        err = progress_source_add(&port_source);
    return err;
}

void port_finalize(void)
{
    while (ports)
        port_close(ports);
}
