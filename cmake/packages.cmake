# packages.cmake — what `cpack` makes of the parts of install.cmake: an archive of the whole tree, which
# runs wherever it is unpacked, and packages of Debian and of RPM.
#
#   cpack --config build/release/CPackConfig.cmake -G DEB -B packages        also TGZ, RPM
#
# In the packages the tree has a folder of its own below /usr, beside other MPIs. What is outside of it is
# placed by packages_outside.cmake: links with names that only Starling has, as /usr/bin/mpicc.starling.
# Debian's alternatives give them the common names; on RPM systems a modulefile does that.

execute_process(COMMAND ${CMAKE_C_COMPILER} -print-multiarch OUTPUT_VARIABLE MULTIARCH
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND getconf GNU_LIBC_VERSION OUTPUT_VARIABLE GLIBC ERROR_QUIET)
string(REGEX MATCH "[0-9.]+" GLIBC "${GLIBC}")
if(NOT MULTIARCH OR NOT GLIBC OR CMAKE_CROSSCOMPILING)
    return()
endif()

set(CPACK_PACKAGE_NAME starling-mpi)
set(CPACK_PACKAGE_VENDOR "Starling")
set(CPACK_PACKAGE_CONTACT "Starling's maintainers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Message Passing Interface, with the binary interface of MPICH")
set(CPACK_PACKAGE_DESCRIPTION_FILE ${CMAKE_CURRENT_BINARY_DIR}/description)
file(WRITE ${CPACK_PACKAGE_DESCRIPTION_FILE} "Starling MPI runs programs that were compiled with \
its mpicc, or with that of MPICH.\n")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 1)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_COMPONENTS_ALL runtime dev doc)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_BINARY_DIR}/packages_prefix.cmake)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/packages_outside.cmake)
set(DEB_PREFIX /usr/lib/${MULTIARCH}/starling)
set(RPM_PREFIX /usr/lib64/starling)
file(CONFIGURE OUTPUT ${CPACK_PROJECT_CONFIG_FILE} CONTENT
    "if(CPACK_GENERATOR STREQUAL \"DEB\")
    set(CPACK_PACKAGING_INSTALL_PREFIX @DEB_PREFIX@)
elseif(CPACK_GENERATOR STREQUAL \"RPM\")
    set(CPACK_PACKAGING_INSTALL_PREFIX @RPM_PREFIX@)
else()
    unset(CPACK_PACKAGING_INSTALL_PREFIX)
endif()
" @ONLY)
configure_file(cmake/packages_outside.cmake.in packages_outside.cmake @ONLY)

# ---- Debian: libraries that are opened when they are needed are only recommended ------------------
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME starling-mpi)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION net)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_DEPENDS "libc6 (>= ${GLIBC})")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libhwloc15, libfabric1")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "openssh-client")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME starling-mpi-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS
    "starling-mpi (= ${PROJECT_VERSION}), libc6-dev, gcc | c-compiler")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "gfortran, g++, starling-mpi-doc")
set(CPACK_DEBIAN_DOC_PACKAGE_NAME starling-mpi-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
foreach(PART runtime dev)
    string(TOUPPER ${PART} UPPER)
    set(SCRIPTS "")
    foreach(SCRIPT postinst prerm)
        configure_file(packaging/deb/${PART}.${SCRIPT}.in packages/${PART}/${SCRIPT} @ONLY)
        list(APPEND SCRIPTS ${CMAKE_CURRENT_BINARY_DIR}/packages/${PART}/${SCRIPT})
    endforeach()
    if(PART STREQUAL runtime)
        list(APPEND SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/deb/triggers)
    endif()
    set(CPACK_DEBIAN_${UPPER}_PACKAGE_CONTROL_EXTRA ${SCRIPTS})
endforeach()

# ---- RPM ------------------------------------------------------------------------------------------
find_program(RPMBUILD rpmbuild)
mark_as_advanced(RPMBUILD)
if(RPMBUILD)
    list(APPEND CPACK_GENERATOR RPM)
endif()
set(CPACK_RPM_COMPONENT_INSTALL ON)
set(CPACK_RPM_FILE_NAME RPM-DEFAULT)
set(CPACK_RPM_MAIN_COMPONENT runtime)
set(CPACK_RPM_PACKAGE_LICENSE MIT)
set(CPACK_RPM_PACKAGE_RELOCATABLE OFF)
set(CPACK_RPM_PACKAGE_AUTOREQPROV " no")
set(CPACK_RPM_RUNTIME_PACKAGE_REQUIRES "glibc >= ${GLIBC}")
set(CPACK_RPM_RUNTIME_PACKAGE_SUGGESTS "hwloc-libs, libfabric")
set(CPACK_RPM_DEV_PACKAGE_NAME starling-mpi-devel)
set(CPACK_RPM_DEV_PACKAGE_REQUIRES "starling-mpi = ${PROJECT_VERSION}, gcc, glibc-devel")
set(CPACK_RPM_EXCLUDE_FROM_AUTO_FILELIST_ADDITION /usr/lib64 /usr/share /usr/share/doc
    /usr/share/modulefiles /usr/share/modulefiles/mpi)
include(CPack)
