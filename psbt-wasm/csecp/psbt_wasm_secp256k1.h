/* Read before every file of libsecp256k1, when it is compiled for WebAssembly (.cargo/config.toml). The library itself is unpatched.
   Cargo does not see changes here: `cargo clean -p secp256k1-sys --profile wasm --target wasm32-unknown-unknown` makes it compile them. */

/* WebAssembly has no 128-bit multiply, and clang's default calls a function for each product: three times slower. */
#define USE_FORCE_WIDEMUL_INT64 1

/* The tables for verification: 2 kB, which do not compress. The default of 15 would be 1 MB, for 12 % of the time.
   secp256k1-sys sets its own value on the command line, so it is taken back here. */
#undef ECMULT_WINDOW_SIZE
#define ECMULT_WINDOW_SIZE 6
