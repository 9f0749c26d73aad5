/* golden_ratio.h — the factors of hash functions. The high bits of a product with one of them
 * depend on all bits of the other factor, and numbers of any stride are spread. */
#ifndef GOLDEN_RATIO_H
#define GOLDEN_RATIO_H

#include <stdint.h>

#define GOLDEN_RATIO_32 UINT32_C(0x9e3779b1)         /* 2^32 divided by the golden ratio */
#define GOLDEN_RATIO_64 UINT64_C(0x9e3779b97f4a7c15) /* 2^64 divided by it */

#endif /* GOLDEN_RATIO_H */
