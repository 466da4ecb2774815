/* Multiplication modulo p = 2^256 - 0x1000003d1, for libsecp256k1 in WebAssembly: its hook for assembly, filled with
   SIMD. Verifying a signature is almost nothing else. Beside the library's own multiplication (field_10x26_impl.h) it
   saves a quarter of the time of a verification (61 us for 81, Node 20); tests/node/field.test.mjs compares it with
   arbitrary precision.

   A number is ten limbs of 26 bits, limb i counting 2^(26 i). Limbs may be larger: up to 16 (2^26 - 1), and the last up to
   16 (2^22 - 1), which is the library's magnitude 8. Results have magnitude 1: limbs up to 2 (2^26 - 1), the last up
   to 2 (2^22 - 1).

   a is E + 2^26 O, with its even limbs in E and its odd limbs in O; each is a polynomial of five coefficients in 2^52. Of
   the 19 columns of a product, the even ones are E E' and, two columns up, O O', and the odd ones are
   (E + O) (E' + O') - E E' - O O' (Karatsuba): 75 products of limbs instead of 100. One instruction makes a coefficient of
   E E' and one of O O', so there are 25 of these and 25 scalar multiplications, which a processor does side by side. Sums in
   between may go over 2^64, but no column does: at most it is 8 * 2^60 + 2 * 2^56 and a carry, or 9 * 2^60 and a carry. */

#ifndef PSBT_WASM_FIELD_H
#define PSBT_WASM_FIELD_H

#include <stdint.h>
#include <wasm_simd128.h>

/* The functions are defined before libsecp256k1 declares them. */
#define USE_EXTERNAL_ASM 1
#define psbt_wasm_multiply rustsecp256k1_v0_10_0_fe_mul_inner
#define psbt_wasm_square rustsecp256k1_v0_10_0_fe_sqr_inner

#define PSBT_LIMB 0x3ffffffu
#define PSBT_TOP_LIMB (PSBT_LIMB >> 4)

/* The five pairs of an even and an odd limb, two pairs to a vector; the fifth is in the upper half of a34. */
#define PSBT_PAIRS(a) \
    const v128_t a01 = wasm_v128_load(a), a23 = wasm_v128_load(a + 4), a34 = wasm_v128_load(a + 6)

/* Pair i times a pair that stands in both halves of a vector. Whole vectors, because of halves that are loaded clang makes
   64-bit multiplications, which are several instructions each. */
#define PSBT_TIMES_0(b) wasm_u64x2_extmul_low_u32x4(a01, b)
#define PSBT_TIMES_1(b) wasm_u64x2_extmul_high_u32x4(a01, b)
#define PSBT_TIMES_2(b) wasm_u64x2_extmul_low_u32x4(a23, b)
#define PSBT_TIMES_3(b) wasm_u64x2_extmul_high_u32x4(a23, b)
#define PSBT_TIMES_4(b) wasm_u64x2_extmul_high_u32x4(a34, b)
#define PSBT_SELF_0 PSBT_TIMES_0(a01)
#define PSBT_SELF_1 PSBT_TIMES_1(a01)
#define PSBT_SELF_2 PSBT_TIMES_2(a23)
#define PSBT_SELF_3 PSBT_TIMES_3(a23)
#define PSBT_SELF_4 PSBT_TIMES_4(a34)

/* The coefficients of a product: sums of P(i, j) with the same i + j. */
#define PSBT_PRODUCT(c, ADD, P) \
    c[0] = P(0, 0); \
    c[1] = ADD(P(0, 1), P(1, 0)); \
    c[2] = ADD(ADD(P(0, 2), P(1, 1)), P(2, 0)); \
    c[3] = ADD(ADD(P(0, 3), P(1, 2)), ADD(P(2, 1), P(3, 0))); \
    c[4] = ADD(ADD(ADD(P(0, 4), P(1, 3)), ADD(P(2, 2), P(3, 1))), P(4, 0)); \
    c[5] = ADD(ADD(P(1, 4), P(2, 3)), ADD(P(3, 2), P(4, 1))); \
    c[6] = ADD(ADD(P(2, 4), P(3, 3)), P(4, 2)); \
    c[7] = ADD(P(3, 4), P(4, 3)); \
    c[8] = P(4, 4)

/* The coefficients of a square: S(i) is a coefficient times itself, T(i, j) twice the product of two others. */
#define PSBT_SQUARE(c, ADD, S, T) \
    c[0] = S(0); \
    c[1] = T(0, 1); \
    c[2] = ADD(T(0, 2), S(1)); \
    c[3] = ADD(T(0, 3), T(1, 2)); \
    c[4] = ADD(ADD(T(0, 4), T(1, 3)), S(2)); \
    c[5] = ADD(T(1, 4), T(2, 3)); \
    c[6] = ADD(T(2, 4), S(3)); \
    c[7] = T(3, 4); \
    c[8] = S(4)

#define PSBT_ADD(a, b) ((a) + (b))

/* Column k and column 10 + k, of which each unit counts 2^260 = 0x3d10 + 2^26 * 0x400. */
#define PSBT_FOLD(k, limb) \
    high += column[10 + k]; \
    upper = high & PSBT_LIMB; \
    high >>= 26; \
    low += column[k] + upper * 0x3d10; \
    limb = low & PSBT_LIMB; \
    low >>= 26; \
    low += upper << 10

/* From E E' and O O', in pairs, and (E + O) (E' + O') to the limbs of the product. */
static inline __attribute__((always_inline)) void psbt_wasm_reduce(
    uint32_t *r, const v128_t *pairs, const uint64_t *sums
) {
    uint64_t even[9], odd[9], column[19], high = 0, low = 0, upper;
    uint32_t r0, r1, r2;
    int k;
    for (k = 0; k < 9; k++) {
        even[k] = wasm_u64x2_extract_lane(pairs[k], 0);
        odd[k] = wasm_u64x2_extract_lane(pairs[k], 1);
    }
    for (k = 0; k < 9; k++) {
        column[2 * k] = k ? even[k] + odd[k - 1] : even[k];
        column[2 * k + 1] = sums[k] - even[k] - odd[k];
    }
    column[18] = odd[8];
    PSBT_FOLD(0, r0);
    PSBT_FOLD(1, r1);
    PSBT_FOLD(2, r2);
    PSBT_FOLD(3, r[3]);
    PSBT_FOLD(4, r[4]);
    PSBT_FOLD(5, r[5]);
    PSBT_FOLD(6, r[6]);
    PSBT_FOLD(7, r[7]);
    PSBT_FOLD(8, r[8]);
    low += column[9] + high * 0x3d10;
    r[9] = low & PSBT_TOP_LIMB;
    /* What is left counts 2^256 = 0x3d1 + 2^26 * 0x40. */
    low >>= 22;
    low += high << 14;
    high = low * 0x3d1 + r0;
    r[0] = high & PSBT_LIMB;
    high >>= 26;
    high += (low << 6) + r1;
    r[1] = high & PSBT_LIMB;
    r[2] = r2 + (uint32_t)(high >> 26);
}

static inline void psbt_wasm_multiply(uint32_t *r, const uint32_t *a, const uint32_t *restrict b) {
    PSBT_PAIRS(a);
    v128_t both[5], pairs[9];
    uint64_t a_sum[5], b_sum[5], sums[9];
    int i;
    for (i = 0; i < 5; i++) {
        both[i] = wasm_v128_load64_splat(b + 2 * i);
        a_sum[i] = a[2 * i] + a[2 * i + 1];
        b_sum[i] = b[2 * i] + b[2 * i + 1];
    }
#define PSBT_PAIR(i, j) PSBT_TIMES_##i(both[j])
#define PSBT_SUM(i, j) (a_sum[i] * b_sum[j])
    PSBT_PRODUCT(pairs, wasm_i64x2_add, PSBT_PAIR);
    PSBT_PRODUCT(sums, PSBT_ADD, PSBT_SUM);
#undef PSBT_PAIR
#undef PSBT_SUM
    psbt_wasm_reduce(r, pairs, sums);
}

static inline void psbt_wasm_square(uint32_t *r, const uint32_t *a) {
    PSBT_PAIRS(a);
    v128_t twice[5], pairs[9];
    uint64_t a_sum[5], a_twice[5], sums[9];
    int i;
    for (i = 0; i < 5; i++) {
        const v128_t both = wasm_v128_load64_splat(a + 2 * i);
        twice[i] = wasm_i32x4_add(both, both);
        a_sum[i] = a[2 * i] + a[2 * i + 1];
        a_twice[i] = 2 * a_sum[i];
    }
#define PSBT_SELF(i) PSBT_SELF_##i
#define PSBT_PAIR(i, j) PSBT_TIMES_##i(twice[j])
#define PSBT_SUM_SELF(i) (a_sum[i] * a_sum[i])
#define PSBT_SUM(i, j) (a_twice[i] * a_sum[j])
    PSBT_SQUARE(pairs, wasm_i64x2_add, PSBT_SELF, PSBT_PAIR);
    PSBT_SQUARE(sums, PSBT_ADD, PSBT_SUM_SELF, PSBT_SUM);
#undef PSBT_SELF
#undef PSBT_PAIR
#undef PSBT_SUM_SELF
#undef PSBT_SUM
    psbt_wasm_reduce(r, pairs, sums);
}

#endif
