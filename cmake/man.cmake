# man.cmake — the manual pages, made of the comments in the sources and of what programs print; and the
# completions of shells, made of mpiexec's help text.

set(MAN ${CMAKE_CURRENT_BINARY_DIR}/man)
set(MAN_ARGS ${PROJECT_SOURCE_DIR} ${MAN} ${MAN}/help ${MAN}/settings)
file(MAKE_DIRECTORY ${MAN})
add_custom_command(OUTPUT ${MAN}/made
    DEPENDS mpiexec starling_info ${MPI} ${MPI_H} ${TOOLS}/generate/gen_man.py ${TOOLS}/generate/man_names.py
            ${TOOLS}/generate/man_params.py ${TOOLS}/generate/man_programs.py cmake/wrapper.in
            ${TOOLS}/generate/error_handlers.py ${TOOLS}/generate/mpi_h.py ${TOOLS}/generate/help_text.py
            ${TOOLS}/generate/gen_completions.py
            src/adi3/base/error.c test/api/functions.tsv
    COMMAND mpiexec -help > ${MAN}/help
    COMMAND starling_info --settings > ${MAN}/settings
    COMMAND Python3::Interpreter ${TOOLS}/generate/gen_man.py ${MAN_ARGS}
    COMMAND Python3::Interpreter ${TOOLS}/generate/gen_completions.py ${MAN}/completions ${MAN}/help
    COMMAND ${CMAKE_COMMAND} -E touch ${MAN}/made)
add_custom_target(man ALL DEPENDS ${MAN}/made)
install(DIRECTORY ${MAN}/man1 ${MAN}/man5 ${MAN}/man7 DESTINATION ${CMAKE_INSTALL_MANDIR}
        COMPONENT runtime)
install(DIRECTORY ${MAN}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT doc)
foreach(PAIR "bash;bash-completion/completions" "zsh;zsh/site-functions" "fish;fish/vendor_completions.d")
    list(GET PAIR 0 SHELL)
    list(GET PAIR 1 FOLDER)
    install(DIRECTORY ${MAN}/completions/${SHELL}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${FOLDER}
            COMPONENT runtime)
endforeach()
