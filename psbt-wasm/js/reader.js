// The functions of the first module, whoever has made its instance.

import { take } from './answers.js';
import { guard } from './guard.js';
import { PsbtError } from './psbt.js';
import { NETWORKS, now, wantsPoints } from './report.js';

/** `read` and `strip` are those of the module; `recover` is called when an instance has trapped. */
export function readerOf(read, strip, recover) {
  return {
    readPsbt(bytes, network, options) {
      return guard(bytes, () => {
        const place = NETWORKS.indexOf(network);
        if (place < 0) throw new PsbtError('unknown-network', 'The network is not known.');
        read(bytes, place, wantsPoints(options), now());
        return take();
      }, recover);
    },
    stripPsbt(bytes) {
      return guard(bytes, () => {
        strip(bytes);
        return take();
      }, recover);
    },
  };
}
