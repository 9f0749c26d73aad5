# lto.cmake — link-time optimization for Release builds, where the compiler's tools are all there.

set(LTO OFF)
set(LTO_LACKS "")
if(STARLING_LTO AND CMAKE_BUILD_TYPE STREQUAL "Release")
    if(CMAKE_C_COMPILER_ID MATCHES "Clang")
        # GNU ld reads clang's objects only with a plugin that is often not installed.
        find_program(STARLING_LLD ld.lld)
        mark_as_advanced(STARLING_LLD)
        if(STARLING_LLD AND CMAKE_C_COMPILER_AR)
            set(LTO ON)
            add_link_options(-fuse-ld=lld)
        else()
            set(LTO_LACKS "clang needs ld.lld and llvm-ar for it")
        endif()
    else()
        include(CheckIPOSupported)
        check_ipo_supported(RESULT LTO OUTPUT LTO_LACKS LANGUAGES C)
    endif()
endif()
if(LTO)
    set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        if(STARLING_TESTS) # which are linked without (test/CMakeLists.txt): each would take seconds
            add_compile_options(-ffat-lto-objects)
        endif()
        # With gcc's limit of 40 % not all small functions that are called often are inlined, and
        # any change elsewhere decides which.
        add_compile_options(--param=inline-unit-growth=60)
        add_link_options(--param=inline-unit-growth=60)
        # Across files gcc 12 takes memory behind a pointer that is NULL elsewhere for size 0.
        add_link_options(-Wno-stringop-overflow -Wno-stringop-overread)
    endif()
elseif(LTO_LACKS)
    message(STATUS "No link-time optimization: ${LTO_LACKS}")
endif()
