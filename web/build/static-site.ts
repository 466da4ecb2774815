import type { Plugin, Rolldown } from 'vite';

/** As the server sends it with these pages (`server/api/src/http/pages/verify.rs`), but for what has no effect in a document itself. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; " +
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; form-action 'none'; base-uri 'none'";

/** The pages, each with the document that it is. */
const PAGES: Record<string, string> = {
  'index.html': 'verify.html',
  'verify/index.html': 'verify.html',
  'prove/index.html': 'prove.html',
  'prove/ask/index.html': 'prove.html',
};

/** Lays the built documents out so that any server of files serves them, at its root or below any path. */
export function staticSite(): Plugin {
  return {
    name: 'static-site',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        for (const [fileName, document] of Object.entries(PAGES)) {
          const root = '../'.repeat(fileName.split('/').length - 1) || './';
          this.emitFile({ type: 'asset', fileName, source: pageAt(root, sourceOf(bundle, document)) });
        }
        for (const document of new Set(Object.values(PAGES))) delete bundle[document];
      },
    },
  };
}

function sourceOf(bundle: Rolldown.OutputBundle, name: string): string {
  const file = bundle[name];
  if (file?.type !== 'asset') throw new Error(`${name} was not built`);
  return typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source);
}

function pageAt(root: string, html: string): string {
  return html
    .replace('<html ', `<html data-root="${root}" `)
    .replaceAll(/\b(href|src)="\.\//g, `$1="${root}`)
    .replace('<meta charset="utf-8" />', (charset) => `${charset}\n    <meta http-equiv="Content-Security-Policy" content="${POLICY}" />`);
}
