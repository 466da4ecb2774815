# What is not a release need not be optimized as one, which takes a quarter longer to compile. Cargo sets OPT_LEVEL.
if("$ENV{OPT_LEVEL}" LESS 2)
  set(optimized " -O1")
endif()
# Bitcoin Core's build appends these after its own. Nobody debugs its C++ here: writing down how is a third of the time to compile it, and
# 140 of the 160 MB that each program of tests is linked with.
set(APPEND_CFLAGS "-g0" CACHE STRING "")
set(APPEND_CXXFLAGS "-g0${optimized}" CACHE STRING "")
