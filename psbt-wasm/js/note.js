// What the board's note on a checked proof is worth. The third module reads and checks it.

/**
 * By these keys of logs, of which those of the proof's board count. `other-key`: the board's log signed it with a key that is not one of these,
 * or the note only claims so. `load` loads the module.
 */
export async function checkNote({ proof: { network, note, statement }, block, ...check }, keys, load) {
  if (note === undefined || keys.length === 0) return { is: 'none' };
  const { origin, text: line, provider, subject, account_id: account } = statement;
  const said = {
    network,
    origin,
    line,
    provider,
    subject,
    account,
    name: '',
    block: { height: block.height, hash: block.hash },
    transaction_sha256: check.transactionSha256,
    previous_outputs_sha256: check.previousOutputsSha256,
  };
  const worth = (await load()).checkNote(note, JSON.stringify(said), JSON.stringify(keys));
  const [is] = worth.split('\n', 1);
  return is === 'valid' ? { is, name: worth.slice(is.length + 1) } : { is };
}
