/* hash.c — pseudo-random numbers that are the same wherever they are computed. */
#include "property.h"

u64 hash(u64 a, u64 b)
{
    u64 x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;

    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

u64 hash4(u64 seed, int a, int b, int c)
{
    return hash(hash(hash(seed, (unsigned) a), (unsigned) b), (unsigned) c);
}

int roll(struct dice *d, int sides)
{
    d->state = hash(d->state, 1);
    return (int) ((d->state >> 16) % (unsigned) sides);
}

void shuffle(struct dice *d, int *order, int n)
{
    for (int i = 0; i < n; i++) {
        int j = roll(d, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}
