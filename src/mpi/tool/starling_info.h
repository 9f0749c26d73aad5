/* starling_info.h — what libmpi has for the program starling_info. */
#ifndef STARLING_INFO_H
#define STARLING_INFO_H

/* The program:
 *
 * starling_info            version, build, devices, optional libraries, file of settings
 * starling_info --settings every setting: name, default, present value and where it is from
 *
 * Returns its exit code. */
__attribute__((visibility("default"))) int MPIR_Starling_info(int argc, char **argv);

#endif /* STARLING_INFO_H */
