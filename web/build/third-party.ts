import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** What Vite lists of a package in the bundles (`build.license`). */
interface Bundled {
  name: string;
  version: string;
  identifier?: string;
  text?: string;
}

const LISTED = 'third-party.json';
const WRITTEN = 'third-party-licenses.txt';

/** What is in the pages and no script: a font and a base style sheet. */
const OTHERS = ['@fontsource-variable/inter', 'tailwindcss'];

const require = createRequire(import.meta.url);

/** Writes the licenses of all that the pages contain of others into one file beside them. */
export function thirdParty(): Plugin {
  return {
    name: 'third-party',
    enforce: 'post',
    config: () => ({ build: { license: { fileName: LISTED } } }),
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const listed = bundle[LISTED];
        if (listed?.type !== 'asset') return;
        const bundled: Bundled[] = JSON.parse(textOf(listed));
        delete bundle[LISTED];
        const scripts = bundled.filter(({ name }) => name !== 'psbt-wasm');
        const all = [...scripts, ...OTHERS.map(installed)].map(section);
        const modules = readFileSync(join(dirname(require.resolve('psbt-wasm/package.json')), 'THIRD-PARTY-LICENSES.txt'), 'utf8');
        const title = 'These pages contain software of others. Their scripts, styles and fonts:';
        this.emitFile({ type: 'asset', fileName: WRITTEN, source: [title, ...all, modules].join('\n\n') });
      },
    },
  };
}

function textOf({ source }: Rolldown.OutputAsset): string {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}

/** A package that is installed for the build. */
function installed(name: string): Bundled {
  const manifest = require.resolve(`${name}/package.json`);
  const { version, license } = JSON.parse(readFileSync(manifest, 'utf8'));
  const file = readdirSync(dirname(manifest)).find((it) => /^licen[cs]e/i.test(it));
  return { name, version, identifier: license, ...(file && { text: readFileSync(join(dirname(manifest), file), 'utf8') }) };
}

/** `.scripts/release/third-party.mjs` reads the second line. */
function section({ name, version, identifier, text }: Bundled): string {
  return `${'='.repeat(100)}\n${name} ${version} (${identifier})\n\n${(text ?? '').replaceAll('\r', '').trim()}`;
}
