const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as hexadecimal text, for the readers that return bytes. */
export function hex(bytes) {
  let text = '';
  for (const byte of bytes) text += DIGITS[byte];
  return text;
}

/** A txid in its usual order. */
export function reversedHex(bytes) {
  let text = '';
  for (let index = bytes.length - 1; index >= 0; index -= 1) text += DIGITS[bytes[index]];
  return text;
}

/** What the page shows, completed with the totals. */
export function model(inputs, outputs) {
  const sum = (rows) => rows.reduce((total, row) => total + row.valueSats, 0n);
  return { inputs, outputs, totalInputSats: sum(inputs), totalOutputSats: sum(outputs) };
}
