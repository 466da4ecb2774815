/** Reads the outpoint, value and address of every input and output, as a page does that shows them. */
export function looked({ inputs, outputs }) {
  let length = 0;
  for (const { txid, vout, valueSats, address } of inputs) length += txid.length + vout + Number(valueSats) + address.length;
  for (const { valueSats, address } of outputs) length += Number(valueSats) + (address?.length ?? 0);
  return length;
}
