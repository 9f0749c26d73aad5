# packages.sh — what cpack makes: an archive that runs where it is unpacked; Debian packages in which
# nothing is outside of Starling's own folder but what no other MPI has, each file in one of them.
. "$(dirname "$0")/common.sh"
need cpack dpkg-deb
[ -e "$BUILD/CPackConfig.cmake" ] || { echo "skipped: no packages are made here"; exit 77; }
version=$(sed -n 's/^#define STARLING_VERSION *"\(.*\)"/\1/p' "$SOURCE/include/mpi.h")
quietly cpack --config "$BUILD/CPackConfig.cmake" -G TGZ -B "$PWD/out"
quietly cpack --config "$BUILD/CPackConfig.cmake" -G DEB -B "$PWD/out"

# ---- the archive is what is installed ----
mkdir tree
tar xzf out/*.tar.gz -C tree --strip-components 1
(cd tree && find . ! -type d | sort) >archive
# Other tests make modules in the prefix that they share.
quietly "$CMAKE" --install "$BUILD" --prefix "$PWD/fresh"
(cd fresh && find . ! -type d | sort) >installed
diff archive installed || fail "the archive has other files than an installed tree"
cp "$SOURCE/examples/hello.c" .
tree/bin/mpicc hello.c -o hello
four_hellos tree/bin/mpiexec -n 4 ./hello

# ---- Debian's packages ----
arch=$(cc -print-multiarch)
own=./usr/lib/$arch/starling
for part in '' -dev -doc; do
    deb=$(echo out/starling-mpi${part}_"$version"_*.deb)
    [ -e "$deb" ] || fail "there is no package starling-mpi$part: $(ls out)"
    dpkg-deb -c "$deb" | awk '!/^d/ { print $6 }' | sort >"files$part"
    grep -v "^$own/" "files$part" >"outside$part" || true
    dpkg-deb -I "$deb" control >"control$part"
    dpkg-deb -x "$deb" root
done
same "files in two packages" "$(sort files files-dev files-doc | uniq -d)" ""
grep "^$own/" files files-dev files-doc -h | sed "s|^$own/|./|" | grep -v '^\./etc$' |
    sed '/\/man\//s/\.gz$//' | sort >packaged
diff packaged installed || fail "the packages have other files than an installed tree"
fortran=
[ ! -e fresh/lib/libmpifort.so.12 ] || fortran=./usr/lib/$arch/libmpifort.so.12
cat >wanted <<W
./usr/bin/mpiexec.starling
./usr/bin/mpirun.starling
./usr/bin/starling_info
./usr/lib/$arch/libmpi.so.12
$fortran
./usr/share/doc/starling-mpi/copyright
W
sed -i '/^$/d' wanted
diff wanted outside || fail "starling-mpi has something else outside of its folder"
! grep -v -e '^\./usr/bin/mpi[a-zA-Z0-9+]*\.starling$' -e '/starling\(-fort\)\?\.pc$' \
    -e '/cmake/Starling/StarlingConfig\(Version\)\?\.cmake$' -e /copyright outside-dev ||
    fail "starling-mpi-dev has something else outside of its folder"
grep -q '^Depends: libc6 (>= [0-9.]*)$' control || fail "starling-mpi depends on: $(grep Depends control)"
grep -q "^Depends: starling-mpi (= $version), " control-dev || fail "starling-mpi-dev: $(cat control-dev)"
for script in postinst prerm; do
    for deb in out/starling-mpi_*.deb out/starling-mpi-dev_*.deb; do
        dpkg-deb -I "$deb" $script >script
        ! grep -q @ script || [ "$(grep -c '"$@"' script)" = "$(grep -c @ script)" ] || fail "$deb: $script has a @"
        sh -n script
    done
done
# ---- those of RPM, where they can be made ----
if command -v rpmbuild >/dev/null && command -v rpm >/dev/null; then
    quietly cpack --config "$BUILD/CPackConfig.cmake" -G RPM -B "$PWD/out"
    rpm -qpl out/*.rpm | sort >rpms
    same "files in two packages of RPM" "$(for p in out/*.rpm; do rpm -qp --qf '[%{FILENAMES} %{FILEMODES:perms}\n]' "$p"; done |
        awk '$2 !~ /^d/ { print $1 }' | sort | uniq -d)" ""
    for file in /usr/bin/mpicc.starling /usr/lib64/libmpi.so.12 /usr/lib64/starling/bin/mpiexec \
        "/usr/share/modulefiles/mpi/starling-$(uname -m)" /usr/lib64/starling/include/mpi.h; do
        grep -qxF "$file" rpms || fail "no package of RPM has $file"
    done
    ! grep -v -e ^/usr/lib64/ -e '^/usr/bin/mpi.*\.starling$' -e ^/usr/bin/starling_info$ -e ^/usr/share/doc/starling \
        -e ^/usr/share/modulefiles/mpi/starling- -e '^/usr/lib/\.build-id' rpms || fail "the RPMs have more than that"
fi

# Alternatives lead to files of the packages.
mkdir bin
cat >bin/update-alternatives <<'S'
#!/bin/sh
# --install LINK NAME FILE PRIORITY, then --slave LINK NAME FILE
while [ $# -ge 4 ]; do
    [ -e "root$4" ] || [ -h "root$4" ] || echo "$4"
    [ "$1" = --slave ] || shift
    shift 4
done
S
chmod +x bin/update-alternatives
for deb in out/starling-mpi_*.deb out/starling-mpi-dev_*.deb; do
    dpkg-deb -I "$deb" postinst >postinst
    PATH=$PWD/bin:$PATH sh postinst configure
done >nowhere
same "alternatives that lead nowhere" "$(cat nowhere)" ""

# Each link leads to a file of the packages.
find root -type l | while read -r link; do
    case $(readlink "$link") in
    /etc/starling) continue ;;
    /*) target=root$(readlink "$link") ;;
    *) target=$(dirname "$link")/$(readlink "$link") ;;
    esac
    [ -e "$target" ] || fail "$link leads to $(readlink "$link"), which is not there"
done
