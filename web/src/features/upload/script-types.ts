import type { ScriptType } from '../../psbt';

const NAMES: Record<NonNullable<ScriptType>, string> = {
  p2pk: 'P2PK (legacy)',
  p2pkh: 'P2PKH (legacy)',
  p2sh: 'P2SH',
  p2wpkh: 'P2WPKH (SegWit)',
  p2wsh: 'P2WSH (SegWit)',
  'p2sh-p2wpkh': 'P2SH-P2WPKH (nested SegWit)',
  'p2sh-p2wsh': 'P2SH-P2WSH (nested SegWit)',
  p2tr: 'P2TR (Taproot)',
  p2ms: 'Bare multisig',
  'op-return': 'OP_RETURN (data)',
  p2a: 'P2A (anchor)',
  unknown: 'Non-standard script',
};

/** A script type in words. Null when the file does not carry the script. */
export function scriptTypeName(type: ScriptType): string {
  return type === null ? 'Script not in the file' : NAMES[type];
}
