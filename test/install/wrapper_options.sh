# wrapper_options.sh — the options of MPICH's mpicc that are not the compiler's, and what mpicc refuses:
# another MPI beside ours, a static library, itself as the compiler.
. "$(dirname "$0")/common.sh"
cp "$SOURCE/examples/hello.c" .
mkdir prefix
cp -R "$PREFIX" prefix/mpi
mkdir -p prefix/mpi/etc
PREFIX=$PWD/prefix/mpi
PATH=$PREFIX/bin:$PATH
lib=$PREFIX/lib

# refused TEXT COMMAND...: the command fails, and its only line has the text.
refused() {
    wanted=$1
    shift
    ! "$@" >out 2>errors || fail "succeeded: $*"
    case $(cat errors) in
    mpicc:*"$wanted"*) ;;
    *) cat errors >&2; fail "$*: no <$wanted>" ;;
    esac
    same "lines of $*" "$(wc -l <errors)" 1
}

# ---- which compiler ----
cat >other <<'C'
#!/bin/sh
case $1 in -L*) shift ;; esac
echo "other $1"
C
chmod +x other
same OMPI_CC "$(OMPI_CC=./other mpicc hello.c)" "other hello.c"
same "MPICH_CC first" "$(OMPI_CC=false MPICH_CC=./other mpicc hello.c)" "other hello.c"
same OMPI_CXX "$(OMPI_CXX=./other mpicxx hello.c)" "other hello.c"
echo 'CC=./other lib=none' >prefix/mpi/etc/mpicc-it.conf
same -config "$(mpicc -config=it hello.c)" "other hello.c"
refused "there is no $lib/../etc/mpicc-none.conf" mpicc -config=none hello.c
MPICH_CC=mpicc refused "its compiler would be itself" timeout 5 mpicc hello.c
case $(mpicc -help) in
*"mpicc -profile=NAME"*) ;;
*) fail "mpicc -help: $(mpicc -help)" ;;
esac

# ---- -profile=NAME: a library in lib, or what a file names ----
echo '#include <mpi.h>
#include <stdio.h>
int MPI_Init(int *c, char ***v) { return puts("profiled") < 0 ? MPI_ERR_OTHER : PMPI_Init(c, v); }' >tool.c
mpicc -shared -fPIC tool.c -o "$lib/libtool.so"
mpicc -profile=tool hello.c -o by_library
./by_library | grep -q profiled || fail "-profile=tool did not link libtool.so before libmpi"
eval "$(mpicc -show -profile=tool hello.c -o shown)"
./shown | grep -q profiled || fail "mpicc -show -profile=tool does not show it"
mpicc -c tool.c
echo 'PROFILE_PRELIB=tool.o PROFILE_POSTLIB=-lm PROFILE_INCPATHS="-DA -DB=1"' >mine.conf
mpicc -profile=mine hello.c -o by_file
./by_file | grep -q profiled || fail "-profile=mine did not link what mine.conf names"
case $(mpicc -show -profile=mine hello.c) in
*" -DA -DB=1 "*" tool.o "*libmpi.so" -lm") ;;
*) fail "mpicc -show -profile=mine: $(mpicc -show -profile=mine hello.c)" ;;
esac
refused "there is no libnone.so" mpicc -profile=none hello.c

# ---- without MPI, and without a shared one ----
echo 'int main(void) { return 0; }' >plain.c
mpicc -nativelinking plain.c -o plain
! readelf -d plain | grep -q libmpi || fail "-nativelinking linked libmpi"
refused "-static: there is no static library of Starling" mpicc -static hello.c
mpicc -static -c hello.c
mpicc -static-mpi hello.c -o static_mpi 2>errors
ours static_mpi
grep -q 'no static library' errors || fail "-static-mpi is taken without a word"
mpicc -echo -c hello.c 2>errors
grep -q '^+ exec ' errors || fail "-echo does not show what is run"

# ---- two MPIs ----
mkdir -p rival/include rival/lib
echo '#define OMPI_MAJOR_VERSION 4' >rival/include/mpi.h
cc -shared -fPIC plain.c -o rival/lib/libmpi.so
echo 'hello.c rival/lib/libmpi.so' >rival.txt
refused "rival/lib/libmpi.so belongs to another MPI" mpicc hello.c rival/lib/libmpi.so
refused "rival/lib/libmpi.so belongs to another MPI" mpicc @rival.txt
refused "-lopen-rte belongs to another MPI" mpicc hello.c -lopen-rte
refused "PKG_CONFIG_PATH=$lib/pkgconfig" mpicc -Irival/include -c hello.c
refused "rival/include has the mpi.h of Open MPI" mpicc -isystem rival/include -c hello.c
mpicc -c hello.c rival/lib/libmpi.so 2>/dev/null # nothing is linked
mpicc hello.c "$lib/libmpi.so" "$lib/libmpich.so.12" -I"$lib/../include" -o once
ours once
