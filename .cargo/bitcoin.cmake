# Bitcoin Core's build appends these after its own -g. Nobody debugs its C++ here, and writing that down is a third of the time to compile it, and
# 140 of the 160 MB that each program of tests is linked with.
set(APPEND_CFLAGS "-g0" CACHE STRING "")
set(APPEND_CXXFLAGS "-g0" CACHE STRING "")
