# man.cmake — the manual pages, made of the comments in the sources and of mpiexec's help text; and the
# completions of shells, made of the latter.

set(MAN ${CMAKE_CURRENT_BINARY_DIR}/man)
set(MAN_ARGS ${PROJECT_SOURCE_DIR} ${MAN} ${MAN}/help)
file(MAKE_DIRECTORY ${MAN})
add_custom_command(OUTPUT ${MAN}/made
    DEPENDS mpiexec ${MPI} ${MPI_H} ${TOOLS}/gen_man.py ${TOOLS}/man_names.py
            ${TOOLS}/man_params.py ${TOOLS}/error_handlers.py ${TOOLS}/mpi_h.py
            ${TOOLS}/help_text.py ${TOOLS}/gen_completions.py
            src/adi3/base/error.c test/api/functions.tsv
    COMMAND mpiexec -help > ${MAN}/help
    COMMAND Python3::Interpreter ${TOOLS}/gen_man.py ${MAN_ARGS}
    COMMAND Python3::Interpreter ${TOOLS}/gen_completions.py ${MAN}/completions ${MAN}/help
    COMMAND ${CMAKE_COMMAND} -E touch ${MAN}/made)
add_custom_target(man ALL DEPENDS ${MAN}/made)
install(DIRECTORY ${MAN}/man1 ${MAN}/man3 DESTINATION ${CMAKE_INSTALL_MANDIR})
foreach(PAIR "bash;bash-completion/completions" "zsh;zsh/site-functions" "fish;fish/vendor_completions.d")
    list(GET PAIR 0 SHELL)
    list(GET PAIR 1 FOLDER)
    install(DIRECTORY ${MAN}/completions/${SHELL}/ DESTINATION ${CMAKE_INSTALL_DATADIR}/${FOLDER})
endforeach()
