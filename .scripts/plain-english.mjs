// Finds words and phrases of the old style in comments, documents and texts: `node .scripts/plain-english.mjs [PATH…]`.
// `./test lint` runs it over everything. CONTRIBUTING.md, "Plain English", says what to write instead.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** What not to write, and what to write instead. */
const BANNED = [
  [/\bwho(so|m)?ever\b/i, 'say the noun: the client, the holder, the user'],
  [/\b(some|any)body\b/i, 'a user, anyone, a visitor'],
  [/\bfor whom\b|\bof (which|whom) there\b|\b(all|one|some|each|none|both|most|many) of which\b/i, 'two sentences'],
  [/\bat hand\b/i, 'cached'],
  [/\ball the same\b/i, 'still'],
  [/\banew\b/i, 'again, new'],
  [/\b(is|are|was|were|be|been|being|gets?) told\b/i, 'gets, is notified, reads'],
  [/\bwill not do\b/i, 'is invalid'],
  [/\b(them|it|him|her|those|these) alone\b/i, 'only'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bmakes? sure of\b|\bsees? to it\b/i, 'ensures, checks'],
  [/\b(lately|meanwhile already|by and by|forthwith|thereof|therein|whereof|wherein)\b/i, 'an ordinary word'],
  [/\bcannot be said\b|\bcan be said of\b/i, 'cannot tell, unknown'],
  [/\w*(organis|recognis|normalis|finalis|serialis|initialis|authoris|optimis|summaris|synchronis|minimis|maximis)(e|ed|es|er|ing|ation|ations)\b/i, 'American spelling: -ize'],
  [/\b(colour|favour|behaviour|neighbour|honour|licence|centre|grey)(s|ed|ing|less)?\b/i, 'American spelling'],
];

/** Lines that may say it, each with the reason. */
const EXCEPTIONS = [
  // The specification is quoted word for word.
  [/^server\/docs\/specification\.md$/, /./],
  // This list.
  [/^\.scripts\/plain-english\.mjs$/, /./],
  // A sentence that proofs, section 4, gives word for word.
  [/./, /Somebody signed this line\. Nobody says that this person did/],
];

const TEXT = /\.(rs|ts|tsx|js|mjs|sh|md|toml|yml|html|css|sql)$|^web\/src\/.*\.json$|^(start|test)$|\.env\.example$|Containerfile$|\.service$/;
const GENERATED = /(schema\.d\.ts|package-lock\.json|Cargo\.lock|openapi\.json)$|LICENSE|^psbt-wasm\/(fuzz\/seeds|examples\/fixtures)/;

// New files too, before their first commit.
const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...process.argv.slice(2)];
const files = execFileSync('git', list, { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file && existsSync(file) && TEXT.test(file) && !GENERATED.test(file));
if (files.length === 0) throw new Error('no files to check: run this in the root of a git checkout');

let found = 0;
for (const file of files) {
  const exceptions = EXCEPTIONS.filter(([path]) => path.test(file)).map(([, line]) => line);
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (exceptions.some((exception) => exception.test(line))) continue;
    for (const [pattern, instead] of BANNED) {
      const match = pattern.exec(line);
      if (!match) continue;
      found += 1;
      console.log(`${file}:${index + 1}: "${match[0]}": ${instead}`);
    }
  }
}
if (found > 0) {
  console.error(`${found} places read oddly. Use the words on the right, or add an exception with its reason.`);
  process.exit(1);
}
