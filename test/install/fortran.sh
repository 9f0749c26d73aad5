# fortran.sh — mpifort, mpif90 and mpif77 compile and link programs of all three methods, and answer
# what build systems ask.
. "$(dirname "$0")/common.sh"
need_fortran
cp "$SOURCE/examples/hello.f90" f08.f90
sed 's/use mpi_f08/use mpi/; s/integer ::/integer :: e,/
    s/_Init()/_Init(e)/; s/_Finalize()/_Finalize(e)/; s/, \(rank\|size\|length\))$/, \1, e)/' f08.f90 >f90.f90
{
    echo '      program hello'
    echo "      include 'mpif.h'"
    echo '      character*(MPI_MAX_PROCESSOR_NAME) name'
    echo '      integer rank, size, length, e'
    echo '      call MPI_INIT(e)'
    echo '      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, e)'
    echo '      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, e)'
    echo '      call MPI_GET_PROCESSOR_NAME(name, length, e)'
    echo '      print 10, rank, size, name(1:length)'
    echo "10    format('hello from rank ', i0, ' of ', i0, ' on ', a)"
    echo '      call MPI_FINALIZE(e)'
    echo '      end'
} >f77.f
for pair in 'mpifort f08.f90' 'mpif90 f90.f90' 'mpif77 f77.f' 'mpifort f90.f90' 'mpifort f77.f'; do
    # shellcheck disable=SC2086 # words on purpose
    { $pair -o program; $pair -c -o part.o; mpifort part.o -o linked; }
    for program in program linked; do
        ours_fortran $program
        four_hellos mpiexec -n 4 ./$program
    done
done

I="-I$PREFIX/include -I$PREFIX/include/starling/$(basename "$(mpifort --showme:incdirs | tr ' ' '\n' | tail -n 1)")"
case ${I##*/} in
gfortran-9) ;;
gfortran-*) I="$I -fallow-argument-mismatch" ;;
esac
rpath="-L$PREFIX/lib -Wl,-rpath,$PREFIX/lib,--enable-new-dtags"
L="$rpath $PREFIX/lib/libmpifort.so $PREFIX/lib/libmpi.so"
for option in -show --showme -link-info; do
    same "mpifort $option" "$(mpifort $option)" "$fc -L$PREFIX/lib/starling/link $I $L"
done
same compile-info "$(mpifort -compile-info)" "$fc $I"
for dashes in - --; do
    same compile "$(mpifort ${dashes}showme:compile)" "$I"
    same link "$(mpifort ${dashes}showme:link)" "$rpath -lstarlingfort -lstarling"
    same libs "$(mpifort ${dashes}showme:libs)" "starlingfort starling"
done
eval "$(mpifort -show f08.f90 -o shown)"
four_hellos mpiexec -n 4 ./shown

# The compiler: by option, by our variables, by MPICH's, each wrapper by its own first.
same -fc= "$(mpifort -fc=other -show 2>&1 | head -c 5)" mpifo
same STARLING_FC "$(STARLING_FC="$fc -O0" mpif90 -show | head -c $((${#fc} + 4)))" "$fc -O0"
same MPICH_F90 "$(MPICH_F90="$fc -O1" STARLING_FC="$fc -O0" mpif90 -show | head -c $((${#fc} + 4)))" "$fc -O1"
same MPICH_F77 "$(MPICH_F77="$fc -O1" mpif77 -show | head -c $((${#fc} + 4)))" "$fc -O1"

# INTEGERs of 8 bytes are refused in one line.
for option in -fdefault-integer-8 -finteger-4-integer-8 -i8; do
    ! mpifort $option f08.f90 2>errors || fail "$option is taken"
    same "lines about $option" "$(grep -c -- "$option: an INTEGER of MPI has 4 bytes" errors) $(wc -l <errors)" "1 1"
done
# A moved tree works.
mkdir 'new place'
cp -R "$PREFIX" 'new place/mpi'
'new place/mpi/bin/mpifort' f08.f90 -o moved
"new place/mpi/bin/mpiexec" -n 4 ./moved | grep -c '^hello' | grep -qx 4 || fail "moved"

# Without its library it says so, rather than the linker.
rm 'new place/mpi/lib/libmpifort.so'
! 'new place/mpi/bin/mpifort' f08.f90 -o none 2>errors || fail "without libmpifort.so"
same "what it says" "$(grep -c 'mpifort: there is no .*/lib/libmpifort.so: the installation is not complete' errors) $(wc -l <errors)" "1 1"
