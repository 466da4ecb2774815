// The functions of the first module, whoever has made its instance.

import { take } from './answers.js';
import { guard } from './guard.js';
import { PsbtError } from './psbt.js';
import { NETWORKS, now, wantsPoints } from './report.js';

/** `read` and `write` are those of the module; `recover` is called when an instance has trapped. */
export function readerOf(read, write, recover) {
  const written = (isStripped) => (bytes) =>
    guard(bytes, () => {
      write(bytes, isStripped);
      return take();
    }, recover);
  return {
    readPsbt(bytes, network, options) {
      return guard(bytes, () => {
        const place = NETWORKS.indexOf(network);
        if (place < 0) throw new PsbtError('unknown-network', 'The network is not known.');
        read(bytes, place, wantsPoints(options), now());
        return take();
      }, recover);
    },
    stripPsbt: written(true),
    /** With all that the file says, as the third module takes it. */
    plainPsbt: written(false),
  };
}
