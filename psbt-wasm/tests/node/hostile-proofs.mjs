// Published proofs of any size that ask for as much work as they can, as js/proof.js writes them for the second module.

import { bytes, compact, distinct, key, output, P2PKH, push, sized, SIGNATURE, times, u32, witnessProgram } from './hostile.mjs';

const { encodeProof } = await import(new URL('proof.js', import.meta.resolve('psbt-wasm/package.json')));

const STATEMENT = 'A line';
const LOCK_TIME = 452_038_930;
const SEQUENCE = 0xffff_fffd;
const BARE_OP_RETURN = bytes(0x6a);

/** A proof over these coins: each a script, and optionally its input's script and witness. */
function published(coins, outputs, { isMessage = false, lockTime = LOCK_TIME } = {}) {
  const outpoint = (at) => bytes(distinct(at), u32(0));
  const transaction = bytes(
    u32(2),
    [0, 1],
    compact(coins.length),
    ...coins.map(({ scriptSig = [] }, at) => bytes(outpoint(at), sized(scriptSig), u32(SEQUENCE))),
    compact(outputs.length),
    ...outputs,
    // One witness that is not empty; otherwise the transaction may have no witnesses at all.
    ...coins.map(({ witness = [[0]] }) => bytes(compact(witness.length), ...witness.map(sized))),
    u32(lockTime),
  );
  const inputs = coins.map(({ script, sats = 1_000 }, at) => ({
    txid: Buffer.from(distinct(at)).reverse().toString('hex'),
    vout: 0,
    value_sats: sats,
    script_pubkey: Buffer.from(script).toString('hex'),
  }));
  const statement = {
    text: STATEMENT,
    origin: 'reader',
    provider: 'reader',
    subject: '1',
    account_id: '2',
    name: '2',
    nonce: '00'.repeat(16),
    block: { height: 0, header: '00'.repeat(80) },
  };
  const proof = { network: 'mainnet', binding: isMessage ? 'message' : 'transaction', statement, transaction: transaction.toString('hex'), inputs };
  return Buffer.from(encodeProof(JSON.stringify(proof), 'reader'));
}

const says = output(bytes(0x6a, push(Buffer.from(STATEMENT))), 0);

/** Scripts that differ only in their last bytes, the slowest to compare. */
const alike = (at) => bytes(0, 32, Buffer.alloc(28, 7), u32(at));

/** A still transaction: each of these scripts gets back what it had. */
const still = (coins) => published(coins, [...coins.map(({ script }) => output(script)), says]);

/** Proofs by the part that they repeat, about `count` times; a quarter of that for the slowest parts. */
export const HOSTILE_PROOFS = {
  'coins of a script each': (count) => still(times(count, (at) => ({ script: witnessProgram(key(at)) }))),
  'coins of scripts alike': (count) => still(times(count, (at) => ({ script: alike(at) }))),
  'coins of one script': (count) => published(times(count, () => ({ script: P2PKH })), [output(P2PKH, 1_000 * count), says]),
  'outputs of one script': (count) =>
    published([{ script: P2PKH, sats: 1_000 * count }], [...times(count, () => output(P2PKH)), says]),
  'outputs, the last of which pays elsewhere': (count) => {
    const coins = times(count, (at) => ({ script: alike(at) }));
    return published(coins, [...coins.map(() => output(alike(count - 1))), output(alike(count)), says]);
  },
  'outputs without value': (count) => published([{ script: P2PKH }], times(count, () => says)),
  'coins of a message': (count) =>
    published(times(count, (at) => ({ script: alike(at) })), [output(BARE_OP_RETURN, 0)], { isMessage: true, lockTime: 0 }),
  'signed inputs that each hash the whole transaction': (count) =>
    still(times(count / 4, (at) => ({ script: P2PKH, scriptSig: bytes(push(SIGNATURE), push(key(at))), witness: at === 0 ? [[0]] : [] }))),
  'keys and signatures in one witness': (count) => {
    const script = bytes(...times(count / 4, (at) => push(key(at))), 0x75);
    return still([{ script: witnessProgram(script), witness: [...times(count / 4, () => SIGNATURE), script] }]);
  },
  'elements of one witness': (count) => still([{ script: witnessProgram([0x51]), witness: times(16 * count, () => []) }]),
};
