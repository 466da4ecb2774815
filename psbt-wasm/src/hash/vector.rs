//! Four words of 32 bits at once: the vector instructions of WebAssembly, which every current browser has, and the
//! same for other processors, whose compilers find the vectors themselves.

#[cfg(not(target_arch = "wasm32"))]
pub(crate) use portable::*;
#[cfg(target_arch = "wasm32")]
pub(crate) use wasm::*;

#[cfg(target_arch = "wasm32")]
mod wasm {
    use core::arch::wasm32::{
        u8x16_shuffle, u32x4, u32x4_extract_lane, u32x4_shl, u32x4_shr, u32x4_shuffle, u64x2,
        v128_or,
    };

    pub(crate) use core::arch::wasm32::{
        u32x4_add as add, u32x4_splat as splat, v128 as Vector, v128_and as and, v128_or as or,
        v128_xor as xor,
    };

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn shift_right<const N: u32>(vector: Vector) -> Vector {
        u32x4_shr(vector, N)
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn rotate_right<const N: u32>(vector: Vector) -> Vector {
        v128_or(u32x4_shr(vector, N), u32x4_shl(vector, 32 - N))
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn load([a, b, c, d]: [u32; 4]) -> Vector {
        u32x4(a, b, c, d)
    }

    /// Four big endian words.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn load_big_endian(bytes: &[u8; 16]) -> Vector {
        let (halves, _) = bytes.as_chunks();
        let row = u64x2(u64::from_le_bytes(halves[0]), u64::from_le_bytes(halves[1]));
        u8x16_shuffle::<3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12>(row, row)
    }

    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn store(vector: Vector) -> [u32; 4] {
        [
            u32x4_extract_lane::<0>(vector),
            u32x4_extract_lane::<1>(vector),
            u32x4_extract_lane::<2>(vector),
            u32x4_extract_lane::<3>(vector),
        ]
    }

    /// Four of the eight words of two vectors.
    #[inline]
    #[target_feature(enable = "simd128")]
    pub(crate) fn shuffle<const A: usize, const B: usize, const C: usize, const D: usize>(
        one: Vector,
        other: Vector,
    ) -> Vector {
        u32x4_shuffle::<A, B, C, D>(one, other)
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod portable {
    use core::array::from_fn;

    pub(crate) type Vector = [u32; 4];

    pub(crate) fn add(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane].wrapping_add(b[lane]))
    }

    pub(crate) fn and(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] & b[lane])
    }

    pub(crate) fn or(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] | b[lane])
    }

    pub(crate) fn xor(a: Vector, b: Vector) -> Vector {
        from_fn(|lane| a[lane] ^ b[lane])
    }

    pub(crate) fn shift_right<const N: u32>(vector: Vector) -> Vector {
        vector.map(|word| word >> N)
    }

    pub(crate) fn rotate_right<const N: u32>(vector: Vector) -> Vector {
        vector.map(|word| word.rotate_right(N))
    }

    pub(crate) fn splat(word: u32) -> Vector {
        [word; 4]
    }

    pub(crate) fn load(words: [u32; 4]) -> Vector {
        words
    }

    pub(crate) fn load_big_endian(bytes: &[u8; 16]) -> Vector {
        from_fn(|at| u32::from_be_bytes(bytes.as_chunks().0[at]))
    }

    pub(crate) fn store(vector: Vector) -> [u32; 4] {
        vector
    }

    pub(crate) fn shuffle<const A: usize, const B: usize, const C: usize, const D: usize>(
        one: Vector,
        other: Vector,
    ) -> Vector {
        [A, B, C, D].map(|at| if at < 4 { one[at] } else { other[at - 4] })
    }
}

/// FIPS 180-4, 4.1.2.
#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub(crate) fn small_0(x: Vector) -> Vector {
    xor(
        rotate_right::<7>(x),
        xor(rotate_right::<18>(x), shift_right::<3>(x)),
    )
}

/// FIPS 180-4, 4.1.2.
#[inline]
#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
pub(crate) fn small_1(x: Vector) -> Vector {
    xor(
        rotate_right::<17>(x),
        xor(rotate_right::<19>(x), shift_right::<10>(x)),
    )
}
