# uninstall.cmake — the target uninstall: removes what the last `cmake --install` of this build has
# installed, as its install_manifest.txt says, below $DESTDIR as then. This file also does it: with
# -DMANIFEST=FILE -DOURS="folders that are ours alone".

if(NOT DEFINED MANIFEST)
    add_custom_target(uninstall
        COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt
                "-DOURS=${CMAKE_INSTALL_LIBDIR}/starling:${CMAKE_INSTALL_INCLUDEDIR}/starling"
                -P ${CMAKE_CURRENT_LIST_FILE}
        USES_TERMINAL)
    return()
endif()
if(NOT EXISTS ${MANIFEST})
    message(FATAL_ERROR "There is no ${MANIFEST}: nothing was installed from here")
endif()
file(STRINGS ${MANIFEST} FILES)
string(REPLACE ":" ";" OURS "${OURS}")
set(FOLDERS "")
set(REMOVED 0)
foreach(FILE ${FILES})
    set(FILE "$ENV{DESTDIR}${FILE}")
    if(EXISTS "${FILE}" OR IS_SYMLINK "${FILE}")
        file(REMOVE "${FILE}")
        math(EXPR REMOVED "${REMOVED} + 1")
    endif()
    # mpifort makes modules of other compilers beside the installed ones.
    foreach(OWN ${OURS})
        string(FIND "${FILE}" "/${OWN}/" AT REVERSE)
        if(AT GREATER -1)
            string(SUBSTRING "${FILE}" 0 ${AT} PREFIX)
            file(REMOVE_RECURSE "${PREFIX}/${OWN}")
        endif()
    endforeach()
    get_filename_component(FOLDER "${FILE}" DIRECTORY)
    list(APPEND FOLDERS "${FOLDER}")
endforeach()
# Folders that are empty now, from the inside out.
list(REMOVE_DUPLICATES FOLDERS)
foreach(FOLDER ${FOLDERS})
    while(NOT FOLDER STREQUAL "/" AND NOT FOLDER STREQUAL "$ENV{DESTDIR}")
        file(GLOB LEFT LIST_DIRECTORIES true "${FOLDER}/*" "${FOLDER}/.*")
        list(FILTER LEFT EXCLUDE REGEX "/\\.\\.?$")
        if(LEFT)
            break()
        endif()
        if(EXISTS "${FOLDER}")
            file(REMOVE_RECURSE "${FOLDER}")
        endif()
        get_filename_component(FOLDER "${FOLDER}" DIRECTORY)
    endwhile()
endforeach()
message(STATUS "Removed ${REMOVED} files")
