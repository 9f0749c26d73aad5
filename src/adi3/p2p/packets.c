/* packets.c — the table of packet types: a row for each says how a packet is received.
 *
 * Every packet but an eager message goes through this table: see recv_whole() in receive.c. */
#include <errno.h>
#include "adi3/p2p/packets_impl.h"

static const struct p2p_packet *rows[PKT_TYPES];
int packet_arriving;

int p2p_arriving(void) { return packet_arriving; }

int p2p_packet_add(enum adi3_pkt_type type, const struct p2p_packet *row)
{
    assert(type < PKT_TYPES && (!row->begin || row->end));
    if (rows[type] == row)
        return MPI_SUCCESS;
    if (rows[type])
        return adi3_error(MPI_ERR_INTERN, "two types of packets have the number %d: %s and %s",
                          (int) type, rows[type]->name, row->name);
    for (int i = 0; i < PKT_TYPES; i++)
        if (rows[i] && !strcmp(rows[i]->name, row->name))
            return adi3_error(MPI_ERR_INTERN, "two types of packets have the name '%s'", row->name);
    rows[type] = row;
    return MPI_SUCCESS;
}

int p2p_refuse(const struct dev_peer *from, const struct dev_pkt *pkt)
{
    (void) adi3_error(MPI_ERR_OTHER,
                      "process %d sent packet %d for requests 0x%x, 0x%x: unexpected", from->rank,
                      pkt->type, (unsigned) pkt->sreq, (unsigned) pkt->rreq);
    return -EPROTO;
}

static const struct p2p_packet *row_of(const struct dev_pkt *pkt)
{
    return pkt->type < PKT_TYPES ? rows[pkt->type] : NULL;
}

/* Only eager messages may be plain: of a plain packet nothing behind the tag is valid. */
static bool is_wrongly_plain(const struct dev_pkt *pkt)
{
    return pkt->flags & DEV_PLAIN && pkt->type != PKT_EAGER;
}

__attribute__((noinline)) int packet_whole(struct dev_peer *from, const struct dev_pkt *pkt,
                                           const void *payload)
{
    const struct p2p_packet *row = row_of(pkt);

    assert(adi3_lock_held());
    if (!row || is_wrongly_plain(pkt) || (pkt->payload && !row->payload))
        return p2p_refuse(from, pkt);
    return row->whole(from, pkt, payload);
}

int packet_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    const struct p2p_packet *row = row_of(pkt);

    assert(adi3_lock_held());
    if (!row || is_wrongly_plain(pkt) || !row->begin)
        return p2p_refuse(from, pkt);
    target->row = pkt->type;
    int rc = row->begin(from, pkt, target);
    packet_arriving += rc >= 0;
    return rc;
}

void packet_end(struct dev_target *target, int err)
{
    assert(adi3_lock_held() && rows[target->row] && rows[target->row]->end && packet_arriving > 0);
    packet_arriving--;
    rows[target->row]->end(target, err);
}
