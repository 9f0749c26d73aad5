# autoconf.sh — the macros AX_MPI (also for Fortran), AX_PROG_CC_MPI and AX_PROG_CXX_MPI find Starling
# when its bin is in PATH first and another MPI is installed.
. "$(dirname "$0")/common.sh"
need autoconf automake aclocal make c++
need_rival
[ -e /usr/share/aclocal/ax_mpi.m4 ] || { echo "skipped: no autoconf-archive"; exit 77; }

# project NAME SOURCE: a package of one program; the rest of configure.ac comes from stdin.
project() {
    mkdir "$1"
    cp "$SOURCE/examples/hello.c" "$1/$2"
    sed -i 's/names = malloc/names = (char *) malloc/' "$1/$2"
    printf 'bin_PROGRAMS = hello\nhello_SOURCES = %s\n' "$2" >"$1/Makefile.am"
    { printf 'AC_INIT([user], [1])\nAM_INIT_AUTOMAKE([foreign])\n' && cat &&
        printf 'AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n'; } >"$1/configure.ac"
    (cd "$1" && quietly autoreconf -i)
}
# built NAME: configures and makes; the only message about MPI is -L of the directory with the
# other.
built() {
    (cd "$1" && quietly ./configure LDFLAGS="-L$rival" && quietly make && ours hello &&
        four_hellos mpiexec -n 4 ./hello)
}

project ax_mpi_c hello.c <<'M'
AX_MPI([], [AC_MSG_ERROR([no MPI])])
CC=$MPICC
LIBS="$MPILIBS $LIBS"
M
built ax_mpi_c

project ax_mpi_cxx hello.cc <<'M'
AC_PROG_CXX
AC_LANG([C++])
AX_MPI([], [AC_MSG_ERROR([no MPI])])
CXX=$MPICXX
LIBS="$MPILIBS $LIBS"
M
built ax_mpi_cxx

project ax_prog_cc_mpi hello.c <<'M'
AX_PROG_CC_MPI([], [], [AC_MSG_ERROR([no MPI])])
M
built ax_prog_cc_mpi

project ax_prog_cxx_mpi hello.cc <<'M'
AX_PROG_CXX_MPI([], [], [AC_MSG_ERROR([no MPI])])
M
built ax_prog_cxx_mpi

need_fortran
mkdir ax_mpi_fortran
cp hello.f90 ax_mpi_fortran
printf 'bin_PROGRAMS = hello\nhello_SOURCES = hello.f90\n' >ax_mpi_fortran/Makefile.am
cat >ax_mpi_fortran/configure.ac <<'M'
AC_INIT([user], [1])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_FC
AC_LANG([Fortran])
AX_MPI([], [AC_MSG_ERROR([no MPI])])
FC=$MPIFC
LIBS="$MPILIBS $LIBS"
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
(cd ax_mpi_fortran && quietly autoreconf -i && quietly ./configure LDFLAGS="-L$rival" &&
    quietly make && ours_fortran hello && four_hellos mpiexec -n 4 ./hello)
