/* version.h — the version, when the build does not say it. */
#ifndef VERSION_H
#define VERSION_H

#ifndef STARLING_VERSION
#define STARLING_VERSION "0.1.0"
#endif

#endif /* VERSION_H */
