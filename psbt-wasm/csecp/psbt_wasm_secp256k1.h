/* Read before every file of libsecp256k1, when it is compiled for WebAssembly (.cargo/config.toml). Cargo does not see changes
   here: `cargo clean -p secp256k1-sys --profile wasm --target wasm32-unknown-unknown` makes it compile them. */

/* WebAssembly has no 128-bit multiply, and clang's default calls a function for each product: three times slower. */
#define USE_FORCE_WIDEMUL_INT64 1

/* The tables for verification: 4 kB, which do not compress. Measured with the multiplication below, time of a verification
   and download: 6 takes 3 % more and 2 kB less, 8 takes 2 % less and 4 kB more, 10 5 % less and 29 kB more, and the
   default of 15 takes 6 % less and 1 MB more. secp256k1-sys sets its own value on the command line, so it is taken back
   here. */
#undef ECMULT_WINDOW_SIZE
#define ECMULT_WINDOW_SIZE 7

/* Multiplication with SIMD: a quarter of the time of a verification. */
#include "psbt_wasm_field.h"
