/* Read before every file of libsecp256k1, when it is compiled for WebAssembly (.cargo/config.toml). */

/* WebAssembly has no 128-bit multiply, and clang's default calls a function for each product: three times slower. */
#define USE_FORCE_WIDEMUL_INT64 1

/* The tables for verification: 8 kB, where the default of 15 would be 1 MB of download for 6 % more speed.
   secp256k1-sys sets its own value on the command line, so it is taken back here. */
#undef ECMULT_WINDOW_SIZE
#define ECMULT_WINDOW_SIZE 8

/* Multiplication with SIMD: a quarter of the time of a verification. */
#include "psbt_wasm_field.h"
