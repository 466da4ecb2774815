//! Reads a file with psbt-wasm.

use psbt_wasm::{Error, Keys, decode};

/// Reads `length` bytes of zero. Returns how long the sentence of the refusal is.
#[unsafe(no_mangle)]
pub extern "C" fn consumer(length: usize) -> usize {
    match look_at(&vec![0; length]) {
        Ok(()) => 0,
        Err(error) => error.to_string().len(),
    }
}

fn look_at(bytes: &[u8]) -> Result<(), Error> {
    let binary = decode(bytes)?;
    let file = binary.read(Keys::Curve)?;
    let _ = (file.report(psbt_wasm::Network::Mainnet)?, file.strip());
    #[cfg(feature = "tools")]
    let _ = (
        psbt_wasm::check_signatures(&file)?,
        psbt_wasm::combine(&[bytes])?,
        psbt_wasm::read(bytes)?,
    );
    Ok(())
}
