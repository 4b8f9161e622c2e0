import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ensureBuilt, ROOT } from '../build.mjs';

// node tools/schemas/write.mjs          writes schemas/*.json from openapi.json, and that of test files
// node tools/schemas/write.mjs --check  compares them
const isCheck = process.argv.includes('--check');
ensureBuilt();
const { FILE_KINDS, fileSchema } = await import('../../dist/src/bootstrap/api-document/file-schema.js');
const { testFileSchema } = await import('../../dist/apps/admin/src/testing/test-file.js');
const { schemas } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')).components;
mkdirSync(join(ROOT, 'schemas'), { recursive: true });
const made = Object.keys(FILE_KINDS).map((kind) => [kind, fileSchema(schemas, kind)]);
for (const [kind, schema] of [...made, ['workflow-test', testFileSchema()]]) {
  const path = join(ROOT, 'schemas', `${kind}.json`);
  const style = await resolveConfig(path);
  const text = await format(JSON.stringify(schema), { ...style, parser: 'json' });
  const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === text;
  if (!isCheck && !isCurrent) writeFileSync(path, text);
  if (isCheck && !isCurrent) {
    console.error(`schemas/${kind}.json is not current. Run 'npm run docs'.`);
    process.exitCode = 1;
  }
}
console.log(`schemas: ${isCheck ? 'compared' : 'written'}`);
