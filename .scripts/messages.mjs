// Lists every error message of server, commands, package and page with its place: `node .scripts/messages.mjs`. For reading through: a
// message gives the problem, the input or setting by name, and the fix.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Where messages are, and what they look like; the first group is the text. */
const SHAPES = [
  // thiserror and strum
  [/\.rs$/, /#\[(?:error|strum)\(\s*(?:message = )?"((?:[^"\\]|\\.)*)"/g],
  // constructors of errors, refusals and warnings
  [/\.rs$/, /\b(?:Error|Refusal|Problem|Report|Fault)::[a-z_]+\(\s*(?:[\w:]+,\s*)?(?:format!\()?\s*"((?:[^"\\]|\\.)*)"/g],
  [/\.rs$/, /\b(?:bail|anyhow|warn|error)!\(\s*(?:[\w%?=. ]+,\s*)*"((?:[^"\\]|\\.)*)"/g],
  [/\.rs$/, /\.(?:ok_or|ok_or_else|context|with_context|map_err|expect_setting)\((?:\|\w*\| )?(?:format!\()?\s*"((?:[^"\\]|\\.)*)"/g],
  [/\.sh$|^start$|^test$/, /\b(?:die|impossible [\w-]+ '[^']*'|(?:skip|lacks) '[^']*') ["']([^"'\n]+)["']/g],
  [/\.(?:ts|tsx|js)$/, /\bnew \w*Error\(\s*(?:'[\w-]+',\s*)?['"`]([^'"`\n]+)['"`]/g],
  [/\.(?:ts|tsx)$/, /\b(?:const [A-Z_]+ =|message:|problem:|fault:|setProblem\(|setFault\()\s*['"`]([^'"`\n]*[a-z][^'"`\n]* [^'"`\n]+)['"`]/g],
];

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter((file) => file && !/\/(tests?|testing|benches|e2e|packaging|xtask|bench)\/|\.test\.|tests\.rs$/.test(file));

for (const file of files) {
  const shapes = SHAPES.filter(([name]) => name.test(file));
  if (shapes.length === 0) continue;
  const text = readFileSync(file, 'utf8').split('\n#[cfg(test)]')[0];
  for (const [, shape] of shapes) {
    for (const match of text.matchAll(shape)) {
      const line = text.slice(0, match.index).split('\n').length;
      console.log(`${file}:${line}: ${match[1].replaceAll(/\\\n\s*/g, '')}`);
    }
  }
}
