// What a person should look at twice before signing or sending. Nothing here makes a file invalid.

/** A fee is high above this part of the inputs, and above this amount. */
const HIGH_FEE_PART = 20n;
const HIGH_FEE_SATS = 10_000n;

const LOCK_TIME_THRESHOLD = 500_000_000;
/** The only sequence number that turns the lock time off. */
const FINAL_SEQUENCE = 0xffff_ffff;
/** ALL; taproot's DEFAULT is 0. */
const SIGHASH_ALL = 1;

/** A block of mainnet and its time, from which the height of today is estimated. */
const KNOWN_BLOCK = { height: 840_000, time: 1_713_571_767 };
const SECONDS_PER_BLOCK = 600;
/** Blocks come a little faster than planned, so the estimate is low. */
const TOLERANCE_BLOCKS = 4_000;

export function warningsOf(report, network) {
  const { inputs, format, lockTime, feeSats, totalInputSats } = report;
  const unsigned = [];
  const open = [];
  const unknown = [];
  let final = true;
  for (let index = 0; index < inputs.length; index += 1) {
    const { signatures, sighash, valueSats, sequence } = inputs[index];
    if (signatures === 'none') unsigned.push(index);
    if (sighash !== null && sighash > SIGHASH_ALL) open.push(index);
    if (valueSats === null && format === 'psbt') unknown.push(index);
    if (sequence !== FINAL_SEQUENCE) final = false;
  }
  const warnings = [];
  const warn = (code, message, at = []) => warnings.push({ code, message, inputs: at });
  if (feeSats !== null && feeSats > HIGH_FEE_SATS && feeSats * HIGH_FEE_PART > totalInputSats) {
    warn('high-fee', `The fee of ${feeSats} sats is more than 5 % of what is spent.`);
  }
  const until = lockTime === 0 || final ? null : lockedUntil(lockTime, network);
  if (until) warn('lock-time', `The transaction cannot be mined before ${until}.`);
  const count = (at) => `${at.length} of ${inputs.length} inputs`;
  if (unsigned.length > 0) warn('unsigned-input', `Not signed: ${count(unsigned)}.`, unsigned);
  if (open.length > 0) {
    warn('sighash-not-all', `Signatures that leave parts of the transaction open: ${count(open)}.`, open);
  }
  if (unknown.length > 0) warn('unknown-value', `The file does not state the value of ${count(unknown)}.`, unknown);
  return warnings;
}

/** A time or a height in the future, in words; null when there is none. */
function lockedUntil(lockTime, network) {
  const now = Date.now() / 1000;
  if (lockTime >= LOCK_TIME_THRESHOLD) {
    return lockTime > now ? new Date(lockTime * 1000).toISOString() : null;
  }
  // The heights of other networks cannot be estimated.
  if (network !== 'mainnet') return null;
  const height = KNOWN_BLOCK.height + (now - KNOWN_BLOCK.time) / SECONDS_PER_BLOCK + TOLERANCE_BLOCKS;
  return lockTime > height ? `block ${lockTime}` : null;
}
