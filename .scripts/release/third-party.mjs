// What of others is in the things that we ship, with licenses. Reads the lock files through cargo and npm; needs no network once they have
// fetched the sources.
//
//   third-party.mjs notices FILE           the licenses of everything in the programs and pages, as text
//   third-party.mjs package [FILE]         those of the npm package; without FILE checks psbt-wasm/THIRD-PARTY-LICENSES.txt
//   third-party.mjs sbom VERSION FILE      everything in a release as SPDX 2.3 (https://spdx.github.io/spdx-spec/v2.3/)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const WASM = 'wasm32-unknown-unknown';
const PACKAGE_TITLE = 'The WebAssembly modules of psbt-wasm contain these libraries.';

/** What cargo builds for each thing that is shipped. The programs for arm64 have the same libraries. */
const BUILDS = {
  programs: { target: 'x86_64-unknown-linux-gnu', options: ['--package=api', '--package=audit', '--features=api/jemalloc'] },
  package: {
    target: WASM,
    options: ['--package=psbt-wasm', '--package=board-log', '--features=psbt-wasm/tools,psbt-wasm/exports,board-log/exports', `--config=target.${WASM}.rustflags=["--cfg=psbt_wasm_package"]`],
  },
};

/** Libraries in C and C++ inside crates: name, license, and the folder of their license within the crate. */
const VENDORED = {
  'aws-lc-sys': [['aws-lc', 'ISC AND (Apache-2.0 OR ISC) AND OpenSSL', 'aws-lc'], ['fiat-crypto', 'MIT OR Apache-2.0 OR BSD-1-Clause', 'aws-lc/third_party/fiat']],
  'libbitcoinkernel-sys': [
    ['bitcoin-core-kernel', 'MIT', 'bitcoin'],
    ['leveldb', 'BSD-3-Clause', 'bitcoin/src/leveldb'],
    ['crc32c', 'BSD-3-Clause', 'bitcoin/src/crc32c'],
    ['ctaes', 'MIT', 'bitcoin/src/crypto/ctaes'],
    ['libsecp256k1', 'MIT', 'bitcoin/src/secp256k1'],
  ],
  // SQLite's authors have given it to the public; it has no license file.
  'libsqlite3-sys': [['sqlite', 'blessing', null]],
  'libwebp-sys': [['libwebp', 'BSD-3-Clause', 'vendor']],
  'secp256k1-sys': [['libsecp256k1', 'MIT', 'depend/secp256k1']],
  'tikv-jemalloc-sys': [['jemalloc', 'BSD-2-Clause', 'jemalloc']],
};

/** The font in the pictures that the server draws. */
const FONT = { name: 'inter', version: '4', license: 'OFL-1.1', folder: join(root, 'server/api/assets/inter') };

const order = (one, other) => (one < other ? -1 : Number(one > other));
const byName = (one, other) => order(`${one.name} ${one.version}`, `${other.name} ${other.version}`);

function cargo(...parameters) {
  return execFileSync('cargo', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
}

/** Those options that `cargo metadata` has too, which speaks of the whole workspace. */
const features = (options) => options.filter((it) => it.startsWith('--config') || it === '--features=api/jemalloc');

/** The crates that are compiled into it, without what only runs during the build, and the libraries in them. */
function crates(build) {
  const { target, options } = BUILDS[build];
  const metadata = JSON.parse(cargo('metadata', '--locked', '--format-version=1', `--filter-platform=${target}`, ...features(options)));
  const folders = new Map(metadata.packages.map(({ name, version, manifest_path }) => [`${name} ${version}`, dirname(manifest_path)]));
  const edges = ['--edges=normal,no-proc-macro', '--prefix=none', '--no-dedupe', '--format={p}|{l}'];
  const tree = cargo('tree', '--locked', ...edges, `--target=${target}`, ...options);
  const found = new Map();
  for (const line of tree.split('\n').filter(Boolean)) {
    const [crate, license] = line.split('|');
    const [name, version, source] = crate.split(' ');
    // Packages with a path are ours.
    if (source?.startsWith('(/')) continue;
    const folder = folders.get(`${name} ${version.slice(1)}`);
    // SPDX has no slash for a choice.
    const entry = { name, version: version.slice(1), license: license.replaceAll('/', ' OR '), folder, purl: `pkg:cargo/${name}@${version.slice(1)}` };
    found.set(`${name} ${version}`, entry);
    for (const [library, terms, below] of VENDORED[name] ?? []) {
      const within = { name: library, version: `in ${name} ${entry.version}`, license: terms, folder: below && join(folder, below) };
      found.set(`${library} in ${name}`, within);
    }
  }
  return [...found.values()].sort(byName);
}

/** What `web/build/third-party.ts` has written into the pages of scripts, styles and fonts. */
function scripts() {
  const file = join(root, 'web/dist/third-party-licenses.txt');
  if (!existsSync(file)) throw new Error('the web app is not built: npm run build in web');
  const sections = readFileSync(file, 'utf8').split(`${'='.repeat(100)}\n`).slice(1);
  const read = sections.map((it) => /^(\S+) (\S+) \(([^\n]+)\)\n\n([^]*)$/.exec(it)?.slice(1));
  // The licenses of the WebAssembly modules follow; their crates are read from Cargo.lock instead.
  const end = sections.findIndex((it) => it.includes('The WebAssembly modules of psbt-wasm'));
  return read.slice(0, end + 1).map(([name, version, license, text]) => ({ name, version, license, text: text.split(`\n\n${PACKAGE_TITLE}`)[0].trim(), purl: purlOf(name, version) }));
}

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** The texts of a license in a folder. */
function texts({ folder, text }) {
  if (text) return [text];
  if (!folder) return [];
  const found = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => /^(licen[cs]es?|copying|notice|unlicense)\b/i.test(name) && !/\.rs$/.test(name));
  // A folder LICENSES has one file for each.
  const files = found.flatMap((it) => (it.isDirectory() ? readdirSync(join(folder, it.name)).map((name) => join(it.name, name)) : [it.name]));
  return files.sort(order).map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('\r', '').trim());
}

/** Each text once, below the names that it is for. */
function notices(title, all) {
  const users = new Map();
  for (const entry of all) {
    const own = texts(entry);
    const standard = `No text of its own; licensed under ${entry.license}.`;
    for (const text of own.length ? own : [standard]) {
      if (!users.has(text)) users.set(text, []);
      users.get(text).push(`${entry.name} ${entry.version} (${entry.license})`);
    }
  }
  const line = '='.repeat(100);
  const parts = [...users].map(([text, names]) => `${line}\n${[...new Set(names)].join('\n')}\n\n${text}\n`);
  return `${title}\n\n${parts.join('\n')}`;
}

/** The image below the container's. Its own packages and their licenses are in its /usr/share/doc. */
function base() {
  const [, name, digest] = /^FROM (\S+)@(sha256:[0-9a-f]{64})$/m.exec(readFileSync(join(root, '.deploy/Containerfile'), 'utf8'));
  return { name, version: digest, license: 'NOASSERTION' };
}

function sbom(version) {
  const seconds = Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
  const products = [
    { name: 'proof-of-reserves', license: 'MIT OR Apache-2.0', parts: [...crates('programs'), ...crates('package'), ...scripts(), FONT] },
    { name: 'psbt-wasm', license: 'MIT OR Apache-2.0', parts: crates('package') },
    { name: 'proof-of-reserves-container', license: 'MIT OR Apache-2.0', parts: [base()] },
  ];
  const packages = new Map();
  const relationships = [];
  for (const product of products) {
    const id = add({ ...product, version });
    relationships.push(relation('SPDXRef-DOCUMENT', 'DESCRIBES', id));
    for (const part of product.parts) relationships.push(relation(id, 'CONTAINS', add(part)));
  }
  function add(part) {
    const id = `SPDXRef-${`${part.name}-${part.version}`.replaceAll(/[^A-Za-z0-9.-]/g, '-')}`;
    const licensed = part.license;
    packages.set(id, {
      SPDXID: id,
      name: part.name,
      versionInfo: part.version,
      downloadLocation: 'NOASSERTION',
      filesAnalyzed: false,
      licenseConcluded: licensed,
      licenseDeclared: licensed,
      copyrightText: 'NOASSERTION',
      ...(part.purl && { externalRefs: [{ referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: part.purl }] }),
    });
    return id;
  }
  const known = new Set();
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `proof-of-reserves-${version}`,
    documentNamespace: `https://spdx.org/spdxdocs/proof-of-reserves-${version}-${commit}`,
    creationInfo: { created: new Date(seconds * 1000).toISOString().replace('.000', ''), creators: ['Tool: third-party.mjs'] },
    packages: [...packages.values()].sort((one, other) => order(one.SPDXID, other.SPDXID)),
    relationships: relationships.filter((it) => !known.has(JSON.stringify(it)) && known.add(JSON.stringify(it))),
  };
}

const relation = (from, relationshipType, to) => ({ spdxElementId: from, relationshipType, relatedSpdxElement: to });

const [command, ...parameters] = process.argv.slice(2);
if (command === 'notices') {
  const all = [...crates('programs'), ...crates('package'), ...scripts(), FONT];
  writeFileSync(parameters[0], notices('The programs and pages of Proof of Reserves contain these libraries.', all));
} else if (command === 'package') {
  const kept = join(root, 'psbt-wasm/THIRD-PARTY-LICENSES.txt');
  const text = notices(PACKAGE_TITLE, crates('package'));
  if (parameters[0]) {
    writeFileSync(parameters[0], text);
  } else if (!existsSync(kept) || readFileSync(kept, 'utf8') !== text) {
    console.error('psbt-wasm/THIRD-PARTY-LICENSES.txt is not of the locked versions. Run: node .scripts/release/third-party.mjs package psbt-wasm/THIRD-PARTY-LICENSES.txt');
    process.exit(1);
  }
} else if (command === 'sbom') {
  const text = `${JSON.stringify(sbom(parameters[0]), null, 1)}\n`;
  writeFileSync(parameters[1], text);
  console.log(`${createHash('sha256').update(text).digest('hex')}  ${parameters[1]}`);
} else {
  console.error('third-party.mjs notices FILE | package [FILE] | sbom VERSION FILE');
  process.exit(2);
}
