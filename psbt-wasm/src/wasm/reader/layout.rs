//! How a packed report is laid out: a header, then rows of a fixed width for the inputs, the outputs and the warnings, then the
//! indices of the inputs that warnings are about, then all texts one after the other, in ASCII, from where the header says, then the
//! message, in UTF-8 if it is text at all.
//!
//! All numbers are little endian. A number that is absent has all bits set; a text is as long as its row says, an address
//! that is absent has no length. The texts are: the txid, 64 characters; for each input the txid that it spends, its script
//! and its address; for each output its script, its address and, if it is a silent payment, the keys and
//! the address of that; for each warning its message.
//!
//! This is the only description. The constants of `js/report.js` are made from it by a test.

macro_rules! rows {
    ($($(#[$doc:meta])* $row:ident { $($column:ident: $number:ty,)+ })+) => {
        $(
            $(#[$doc])*
            #[repr(C, packed(4))]
            pub(super) struct $row {
                $(pub(super) $column: $number,)+
            }

            impl $row {
                /// The width of a row.
                pub(super) const BYTES: usize = size_of::<Self>();

                /// The row as it is in the buffer.
                #[inline]
                pub(super) fn bytes(&self) -> [u8; Self::BYTES] {
                    let mut row = [0; Self::BYTES];
                    $(
                        row[core::mem::offset_of!(Self, $column)..][..size_of::<$number>()]
                            .copy_from_slice(&self.$column.to_le_bytes());
                    )+
                    row
                }
            }
        )+

        /// The columns of each row with their places, and its width.
        #[cfg(test)]
        const ROWS: &[(&str, &[(&str, usize)], usize)] = &[
            $((
                stringify!($row),
                &[$((stringify!($column), core::mem::offset_of!($row, $column))),+],
                $row::BYTES,
            )),+
        ];
    };
}

rows! {
    Header {
        total_input_sats: u64,
        total_output_sats: u64,
        fee_sats: u64,
        inputs: u32,
        outputs: u32,
        transaction_version: i32,
        lock_time: u32,
        extended_public_keys: u32,
        derivation_paths: u32,
        proprietary: u32,
        unknown: u32,
        previous_transactions: u32,
        message_bytes: u32,
        weight: u32,
        texts: u32,
        weight_is_exact: u8,
        psbt_version: u8,
        encoding: u8,
        warnings: u8,
        network_hint: u8,
    }

    Input {
        value_sats: u64,
        vout: u32,
        sequence: u32,
        script_bytes: u32,
        sighash: u32,
        address_length: u8,
        script_type: u8,
        source: u8,
        signatures: u8,
    }

    Output {
        value_sats: u64,
        script_bytes: u32,
        label: u32,
        silent_address_length: u8,
        address_length: u8,
        script_type: u8,
    }

    Warning {
        inputs: u32,
        message_length: u8,
        code: u8,
    }
}

#[cfg(test)]
mod tests;
