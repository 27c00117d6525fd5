# Libraries from Debian (packages.txt) and, for ONNX Runtime, what scripts/setup fetched.
find_package(Threads REQUIRED)
find_package(Boost 1.81 REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(prometheus-cpp CONFIG REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(simdjson REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(rapidcheck QUIET)

# An installed ONNX Runtime (Debian 13) is used when found, else the one from npm.
set(SLUICE_DEPS_DIR ${CMAKE_SOURCE_DIR}/.deps CACHE PATH "Where scripts/setup puts what npm brings")
find_path(ONNXRUNTIME_INCLUDE_DIR onnxruntime_cxx_api.h
  PATHS ${SLUICE_DEPS_DIR}/onnxruntime/include PATH_SUFFIXES onnxruntime)
find_library(ONNXRUNTIME_LIBRARY NAMES libonnxruntime.so.1 onnxruntime
  PATHS ${SLUICE_DEPS_DIR}/onnxruntime/lib)
if(NOT ONNXRUNTIME_INCLUDE_DIR OR NOT ONNXRUNTIME_LIBRARY)
  message(FATAL_ERROR "ONNX Runtime is missing: run scripts/setup (make does)")
endif()
add_library(onnxruntime SHARED IMPORTED)
set_target_properties(onnxruntime PROPERTIES
  IMPORTED_LOCATION ${ONNXRUNTIME_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${ONNXRUNTIME_INCLUDE_DIR}
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${ONNXRUNTIME_INCLUDE_DIR})

add_library(boost INTERFACE)
target_link_libraries(boost INTERFACE Boost::headers Threads::Threads)
