/* packets.c — the types of packets: a row for each, which says how one is received. */
#include <errno.h>
#include "packets_impl.h"

static const struct p2p_packet *rows[PKT_TYPES];

int p2p_packet_add(enum adi3_pkt_type type, const struct p2p_packet *row)
{
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
                      "process %d sent packet %d for requests 0x%x, 0x%x: unexpected",
                      from->world_rank, pkt->type, (unsigned) pkt->sreq, (unsigned) pkt->rreq);
    return -EPROTO;
}

static const struct p2p_packet *row_of(const struct dev_pkt *pkt)
{
    return pkt->type < PKT_TYPES ? rows[pkt->type] : NULL;
}

/* A plain packet has no names of requests in it. */
static bool plain(const struct dev_pkt *pkt)
{
    return pkt->flags & DEV_PLAIN && pkt->type != PKT_EAGER;
}

__attribute__((noinline)) int packet_whole(struct dev_peer *from, const struct dev_pkt *pkt,
                                           const void *payload)
{
    const struct p2p_packet *row = row_of(pkt);

    if (!row || plain(pkt) || (pkt->payload && !row->payload))
        return p2p_refuse(from, pkt);
    return row->whole(from, pkt, payload);
}

int packet_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    const struct p2p_packet *row = row_of(pkt);

    if (!row || plain(pkt) || !row->begin)
        return p2p_refuse(from, pkt);
    target->row = pkt->type;
    return row->begin(from, pkt, target);
}

void packet_end(struct dev_target *target, int err) { rows[target->row]->end(target, err); }
