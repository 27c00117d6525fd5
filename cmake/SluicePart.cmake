# sluice_part(NAME LINKS lib...): the library of src/NAME. It links what is listed and nothing
# else; three checks hold the layering: the link test (every symbol resolves with only those
# libraries), the header check (each header compiles alone), and the include check
# (scripts/check-arrows).
function(sluice_part name)
  cmake_parse_arguments(PART "" "" "LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  add_library(sluice_${name} STATIC ${sources})
  set_target_properties(sluice_${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(sluice_${name} PUBLIC sluice_options ${PART_LINKS})
  sluice_check_headers(${name} "${headers}")
  sluice_link_test(${name})
endfunction()

# The whole archive linked into an empty program: an undefined symbol is an arrow too many.
function(sluice_link_test name)
  set(main ${CMAKE_BINARY_DIR}/link_tests/main.cc)
  if(NOT EXISTS ${main})
    file(WRITE ${main} "int main() { return 0; }\n")
  endif()
  add_executable(link_${name} ${main})
  target_link_libraries(link_${name} PRIVATE
    -Wl,--whole-archive $<TARGET_FILE:sluice_${name}> -Wl,--no-whole-archive sluice_${name})
  add_dependencies(link_${name} sluice_${name})
  add_test(NAME link.${name} COMMAND link_${name})
  set_tests_properties(link.${name} PROPERTIES LABELS "fast")
endfunction()

# One translation unit a header, nothing before it.
function(sluice_check_headers name headers)
  if(NOT headers OR NOT SLUICE_HEADER_CHECK)
    return()
  endif()
  set(units "")
  foreach(header ${headers})
    file(RELATIVE_PATH relative ${CMAKE_SOURCE_DIR}/src ${header})
    string(REPLACE "/" "_" flat ${relative})
    set(unit ${CMAKE_BINARY_DIR}/header_check/${flat}.cc)
    if(NOT EXISTS ${unit})
      file(WRITE ${unit} "#include \"${relative}\"  // IWYU pragma: keep\n")
    endif()
    list(APPEND units ${unit})
  endforeach()
  add_library(headers_${name} OBJECT ${units})
  target_link_libraries(headers_${name} PRIVATE sluice_${name})
endfunction()

# sluice_test(NAME SOURCES... LINKS... LABEL fast|slow): one GoogleTest program.
function(sluice_test name)
  cmake_parse_arguments(T "" "LABEL" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(${name} PRIVATE ${T_LINKS} GTest::gtest GTest::gmock GTest::gtest_main)
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${T_LABEL}" TIMEOUT 300)
endfunction()
option(SLUICE_HEADER_CHECK "Compile every header alone" ON)
