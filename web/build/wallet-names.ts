import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const TABLE = fileURLToPath(new URL('../src/lib/signers.json', import.meta.url));
const ID = 'wallet-names';

interface Named {
  id: string;
  name: string;
  kind?: string;
}

/** The names of the table of wallets as a module of their own: the list of wallets is there before the rest of the table. */
export function walletNames(): Plugin {
  return {
    name: ID,
    resolveId: { filter: { id: /^wallet-names$/ }, handler: () => ID },
    load: {
      filter: { id: /^wallet-names$/ },
      async handler() {
        this.addWatchFile(TABLE);
        const { signers, unable } = JSON.parse(await readFile(TABLE, 'utf8')) as { signers: Named[]; unable: Named[] };
        const names = [...signers, ...unable].map(({ id, name, kind }) => ({ id, name, kind }));
        return `export default ${JSON.stringify(names)};`;
      },
    },
  };
}
