# symbols.sh — libmpi.so as a drop-in for MPICH's: soname, dependency on libc alone, no versions, no
# other names.
. "$(dirname "$0")/common.sh"
need readelf nm
lib=$PREFIX/lib/libmpi.so

same soname "$(readelf -d "$lib" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')" libmpi.so.12
for needed in $(readelf -d "$lib" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'); do
    case $needed in
    libc.so.* | ld-linux*) ;;
    *) fail "libmpi.so needs $needed" ;;
    esac
done
readelf -d "$lib" | grep -E 'RPATH|RUNPATH|TEXTREL|SYMBOLIC' && fail "libmpi.so has one of these"
readelf -V "$lib" | grep 'Version definition' && fail "libmpi.so defines symbol versions"

others=$(nm -D --defined-only "$lib" | awk '{ print $NF }' |
    grep -vE '^(P?MPIX?_[A-Z][A-Za-z0-9_]*|MPIR_[A-Za-z0-9_]+|p?mpi_[a-z0-9_]+_)$' || true)
[ -z "$others" ] || fail "libmpi.so exports:" $others
# Each function under both names, so that a tool can interpose it.
nm -D --defined-only "$lib" | awk '$2 ~ /[TW]/ { print $NF }' >functions
sed -n 's/^MPI_/PMPI_/p' functions | sort >wanted
grep '^PMPI_' functions | sort | diff wanted - || fail "not all functions have both names"

readelf -d "$PREFIX/bin/mpiexec" | grep -E 'libmpi|RPATH|RUNPATH' && fail "in bin/mpiexec"
# starling_info asks the library of its own tree, also where another libmpi.so.12 comes first.
mkdir other
: >other/libmpi.so.12
LD_LIBRARY_PATH=$PWD/other "$PREFIX/bin/starling_info" >info || fail "starling_info took another libmpi"
grep -q Starling info || fail "starling_info prints:" "$(cat info)"
exit 0
