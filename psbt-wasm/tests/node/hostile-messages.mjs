// Signed messages of any size that ask for as much work as they can: address, message and signature.

import { readPsbt } from 'psbt-wasm/sync';
import { bytes, compact, field, key, output, P2PKH, psbtOf, push, sized, SIGNATURE, tagged, times, twice256, u32, witnessProgram } from './hostile.mjs';

const MESSAGE = Buffer.from('A message');
const CHALLENGE = witnessProgram([0x51]);

const addressOf = (script) => readPsbt(psbtOf(transaction([Buffer.alloc(36)]), [[field([1], output(script))]]), 'mainnet').inputs[0].address;

function transaction(outpoints) {
  const inputs = outpoints.map((outpoint) => bytes(outpoint, 0, u32(0)));
  return bytes(u32(0), compact(inputs.length), ...inputs, 1, output([0x6a], 0), u32(0));
}

/** The output that a signature of a message spends (BIP-322). */
function toSpend(script) {
  const scriptSig = bytes(0, push(tagged('BIP0322-signed-message', MESSAGE)));
  const input = bytes(Buffer.alloc(32), u32(0xffff_ffff), sized(scriptSig), u32(0));
  return bytes(twice256(bytes(u32(0), 1, input, 1, output(script, 0), u32(0))), u32(0));
}

/** A message signed by a witness, in the form "simple". */
const simple = (script, elements) => ({
  address: addressOf(script),
  message: MESSAGE,
  signature: `smp${bytes(compact(elements.length), ...elements.map(sized)).toString('base64')}`,
});

/** A proof of funds: a PSBT over these coins, each a script and the fields of its input. */
function proofOfFunds(coins) {
  const outpoints = [toSpend(CHALLENGE), ...coins.map((_, at) => bytes(key(at).subarray(1), u32(0)))];
  const maps = [{ script: CHALLENGE, fields: [] }, ...coins].map(({ script, fields }) => [field([1], output(script)), ...fields]);
  return { address: addressOf(CHALLENGE), message: MESSAGE, signature: `pof${psbtOf(transaction(outpoints), maps).toString('base64')}` };
}

const finalScriptSig = (...pushes) => field([7], bytes(...pushes.map(push)));
const finalWitness = (elements) => field([8], bytes(compact(elements.length), ...elements.map(sized)));

/** Messages by the part that they repeat, about `count` times; a quarter of that for the slowest parts. */
export const HOSTILE_MESSAGES = {
  'lines of a message': (count) => ({ ...simple(CHALLENGE, [[1]]), message: Buffer.from('x\n'.repeat(32 * count)) }),
  'elements of a witness': (count) => simple(CHALLENGE, [...times(32 * count, () => []), [0x51]]),
  'keys and signatures of a script': (count) => {
    const script = bytes(...times(count / 4, (at) => push(key(at))), 0x75);
    return simple(witnessProgram(script), [...times(count / 4, () => SIGNATURE), script]);
  },
  'opcodes of a script': (count) => {
    const script = Buffer.alloc(64 * count, 0x51);
    return simple(witnessProgram(script), [SIGNATURE, script]);
  },
  'coins': (count) => proofOfFunds(times(count, (at) => ({ script: witnessProgram(key(at)), fields: [finalWitness([[0x51]])] }))),
  'coins whose signatures each hash the whole transaction': (count) =>
    proofOfFunds(times(count / 4, (at) => ({ script: P2PKH, fields: [finalScriptSig(SIGNATURE, key(at))] }))),
};
