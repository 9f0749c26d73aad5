/* property.c — G02, G03, G05, G06, G08, G10: communicators made by a random program. */
#include "property.h"

int main(int argc, char **argv) { return property(&argc, &argv, 0); }
