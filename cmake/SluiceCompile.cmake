# What every target of ours is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(SLUICE_CCACHE ccache)
if(SLUICE_CCACHE)
  # hash_dir=false: the same file compiled from another build folder is a hit.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_NOHASHDIR=1
      CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} ${SLUICE_CCACHE})
endif()

set(SLUICE_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize takes them: address,undefined or thread")

add_library(sluice_options INTERFACE)
target_include_directories(sluice_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(sluice_options INTERFACE
  -Wall -Wextra -Wpedantic -Werror -Wshadow -Wnon-virtual-dtor
  # Designated initialisers leave out what has a good default: that is what they are for.
  -Wno-missing-field-initializers
  # Same events, same actions on any machine: no fused multiply-add behind our back.
  -ffp-contract=off)
if(SLUICE_SANITIZE)
  target_compile_options(sluice_options INTERFACE
    -fsanitize=${SLUICE_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer
    # To look at an object it opens a pipe: where descriptors run out, which is tested, it takes
    # what it cannot look at for broken.
    -fno-sanitize=vptr
    # What sanitizers add makes g++ see uninitialised values that are none; its manual says so. The
    # release build, which has to pass as well, looks without them.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  target_link_options(sluice_options INTERFACE -fsanitize=${SLUICE_SANITIZE})
endif()
