/* starling_info.c — the program starling_info. It asks the libmpi of its tree, so that it speaks of
 * the library that programs will have. */
#include "starling_info.h"

int main(int argc, char **argv) { return MPIR_Starling_info(argc, argv); }
