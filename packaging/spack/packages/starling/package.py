# package.py — Starling for Spack:
#
#   spack repo add packaging/spack
#   spack install starling            the branch main of the repository that this file is in
#   spack dev-build starling@main     what is in the working directory
import os

from spack.package import *


class Starling(CMakePackage):
    """A Message Passing Interface for Linux, with the binary interface of MPICH."""

    # The repository that this file is in: four folders above it.
    git = "file://" + os.path.abspath(
        os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("MIT")

    version("main", branch="main")

    variant("fortran", default=True, description="Build the Fortran library")
    variant("libfabric", default=True, description="Build the device for RDMA networks")
    variant("hwloc", default=True, description="Know the parts of a machine")

    provides("mpi@:3.1")

    generator("ninja")
    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.20:", type="build")
    depends_on("python@3.8:", type="build")
    depends_on("pkgconfig", type="build", when="+libfabric")
    depends_on("libsodium")
    depends_on("libfabric@1.9:", when="+libfabric")
    depends_on("hwloc@2:", when="+hwloc")

    conflicts("platform=darwin")
    conflicts("platform=windows")

    def cmake_args(self):
        return [
            self.define("STARLING_TESTS", False),
            self.define_from_variant("STARLING_FORTRAN", "fortran"),
            self.define_from_variant("STARLING_LIBFABRIC", "libfabric"),
            self.define_from_variant("STARLING_HWLOC", "hwloc"),
            self.define("CMAKE_INSTALL_LIBDIR", "lib"),
        ]

    def setup_dependent_package(self, module, dependent_spec):
        self.spec.mpicc = join_path(self.prefix.bin, "mpicc")
        self.spec.mpicxx = join_path(self.prefix.bin, "mpicxx")
        if self.spec.satisfies("+fortran"):
            self.spec.mpifc = join_path(self.prefix.bin, "mpifort")
            self.spec.mpif77 = join_path(self.prefix.bin, "mpif77")

    def setup_run_environment(self, env):
        env.set("MPICC", join_path(self.prefix.bin, "mpicc"))
        env.set("MPICXX", join_path(self.prefix.bin, "mpicxx"))
        if self.spec.satisfies("+fortran"):
            for name in ("MPIFC", "MPIF90", "MPIF77"):
                env.set(name, join_path(self.prefix.bin, "mpifort"))

    def setup_dependent_build_environment(self, env, dependent_spec):
        # Spack's own wrappers of the compilers are what mpicc calls.
        self.setup_run_environment(env)
        for variable, compiler in (("CC", "spack_cc"), ("CXX", "spack_cxx"), ("FC", "spack_fc")):
            wrapper = dependent_spec.package.module.__dict__.get(compiler)
            if wrapper:
                env.set("STARLING_" + variable, wrapper)
