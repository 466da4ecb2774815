import { readFile } from 'node:fs/promises';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { expect, test } from 'vitest';

/** To bring the types up to date: `npm run types`. */
test('the types are those of the API document', async () => {
  const document = new URL('../../../server/api/openapi.json', import.meta.url);
  const generated = COMMENT_HEADER + astToString(await openapiTS(document, { defaultNonNullable: false }));
  expect(await readFile(new URL('schema.d.ts', import.meta.url), 'utf8')).toBe(generated);
});
