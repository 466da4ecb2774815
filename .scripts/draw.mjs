// draw.mjs SEED [since COMMIT]: prints 100 comments and 60 names, drawn from the sources by a seed, for a reader who does not know them.
// The goal: at most 8 comments have to be read twice, none repeats its name, at most 3 names are odd. With `since` only those in lines
// that have changed from that commit on.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [seed, since, commit] = process.argv.slice(2);
if (!seed || (since && !(since === 'since' && commit))) {
  console.error('draw.mjs SEED [since COMMIT]');
  process.exit(2);
}

/** Comments and declared names of each language. */
const LANGUAGES = {
  rs: { comment: /^\s*\/\/[/!]? (.+)$/, names: /\b(?:fn|struct|enum|trait|const|static|type|mod|let(?: mut)?)\s+([A-Za-z_]\w+)/g },
  js: { comment: /^\s*(?:\/\/|\/\*\*?|\*) (.+?)(?: \*\/)?$/, names: /\b(?:function\*?|class|interface|type|const|let)\s+([A-Za-z_$]\w+)/g },
  sh: { comment: /^\s*# (.+)$/, names: /^([a-z]\w+)\(\)|\b([A-Z]\w+)=/g },
  sql: { comment: /^\s*-- (.+)$/, names: /\bcreate (?:table|index|unique index) (\w+)/g },
};
const BY_ENDING = { rs: 'rs', ts: 'js', tsx: 'js', js: 'js', mjs: 'js', sh: 'sh', sql: 'sql' };

/** A generator of numbers from 0 to 1 that a text determines (mulberry32). */
function random(text) {
  let state = 0;
  for (const character of text) state = Math.imul(state ^ character.codePointAt(0), 2654435761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const git = (...parameters) => execFileSync('git', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

/** Lines of each file that have changed, or none when all count. */
function changed() {
  if (!commit) return undefined;
  const lines = new Map();
  let file;
  for (const line of git('diff', '--unified=0', commit).split('\n')) {
    if (line.startsWith('+++ b/')) lines.set((file = line.slice(6)), new Set());
    const [, from, count = '1'] = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (from) for (let number = 0; number < Number(count); number++) lines.get(file)?.add(Number(from) + number);
  }
  return lines;
}

/** The comments and names of a file; lines of one comment are joined. */
function read(path, language, counts) {
  const found = { comments: [], names: [] };
  let open;
  for (const [index, line] of readFileSync(`${root}/${path}`, 'utf8').split('\n').entries()) {
    const text = language.comment.exec(line)?.[1];
    if (text === undefined) {
      open = undefined;
      const names = counts(index + 1) ? [...line.matchAll(language.names)] : [];
      found.names.push(...names.map((match) => ({ place: `${path}:${index + 1}`, text: match[1] ?? match[2] })));
    } else if (open) {
      open.text += ` ${text}`;
    } else {
      open = { place: `${path}:${index + 1}`, text };
      if (counts(index + 1) && !/^(shellcheck|eslint|@ts-)/.test(text)) found.comments.push(open);
    }
  }
  return found;
}

/** Draws this many, none of them twice. */
function draw(all, count, next) {
  const left = [...all];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(Math.floor(next() * left.length), 1)[0]);
}

const lines = changed();
const comments = [];
const names = new Map();
for (const path of git('ls-files').split('\n')) {
  const language = LANGUAGES[BY_ENDING[path.split('.').at(-1)] ?? (/^(start|test)$/.test(path) ? 'sh' : '')];
  if (!language || /fixture|seeds|schema\.d\.ts/.test(path) || (lines && !lines.has(path))) continue;
  const found = read(path, language, (number) => !lines || lines.get(path).has(number));
  comments.push(...found.comments);
  for (const name of found.names) if (!names.has(name.text)) names.set(name.text, name);
}
const next = random(seed);
for (const [what, drawn] of [['comments', draw(comments, 100, next)], ['names', draw([...names.values()], 60, next)]]) {
  console.log(`\n${drawn.length} ${what} of ${what === 'names' ? names.size : comments.length}, seed ${seed}\n`);
  for (const { place, text } of drawn) console.log(`${place}\n    ${text}`);
}
