# uninstall.sh — the target uninstall removes all that was installed, what mpifort has made since, and
# nothing else.
. "$(dirname "$0")/common.sh"
mkdir -p tree/opt/share/man/man3
echo mine >tree/opt/share/man/man3/mine.3
quietly env DESTDIR="$PWD/tree" "$CMAKE" --install "$BUILD" --prefix /opt
if [ -e "$PREFIX/lib/libmpifort.so" ]; then # modules of a compiler that was there later
    mkdir -p tree/opt/include/starling/flang-99
    touch tree/opt/include/starling/flang-99/mpi.mod
fi
DESTDIR="$PWD/tree" quietly "$CMAKE" --build "$BUILD" --target uninstall
same "files that are left" "$(find tree ! -type d)" tree/opt/share/man/man3/mine.3
same "folders that are left" "$(find tree -type d | sort | tr '\n' ' ')" \
    "tree tree/opt tree/opt/share tree/opt/share/man tree/opt/share/man/man3 "
