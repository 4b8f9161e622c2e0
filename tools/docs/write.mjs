import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prettier from 'prettier';
import { COMMANDS } from '../../bin/commands.mjs';
import { PROMISES } from '../../simulation/promises.mjs';
import { ensureBuilt, ROOT } from '../build.mjs';
import { readProject } from '../checks/project.mjs';
import { heraldTable, npmTable } from './commands.mjs';
import { readExample } from './env-example.mjs';
import { errorCodesOf, errorTable } from './error-codes.mjs';
import { manualTables } from './manual-tables.mjs';
import { providerPages } from './providers.mjs';
import { promiseTable, replaceBetween, settingsTable } from './tables.mjs';

// node tools/docs/write.mjs          writes what is generated: tables of the documentation, docs/providers, schemas
// node tools/docs/write.mjs --check  fails where a file is out of date
ensureBuilt();
const isCheck = process.argv.includes('--check');
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const files = new Map([...tables(), ...(await providers()), ...(await schemas())]);
const stale = [];
for (const [path, text] of files) {
  const options = await prettier.resolveConfig(join(ROOT, path));
  const after = await prettier.format(text, { ...options, filepath: path });
  if (existsSync(join(ROOT, path)) && read(path) === after) continue;
  stale.push(path);
  if (!isCheck) writeFileSync(join(ROOT, path), after);
}
for (const path of readdirSync(join(ROOT, 'docs/providers')).map((name) => `docs/providers/${name}`)) {
  if (files.has(path)) continue;
  stale.push(path);
  if (!isCheck) rmSync(join(ROOT, path));
}
if (isCheck && stale.length > 0) {
  console.error(`${stale.join(', ')}: out of date. Run 'npm run docs'.`);
  process.exitCode = 1;
} else console.log(`docs: ${stale.length === 0 ? `ok, ${files.size} files` : `${stale.join(', ')} written`}`);

/** Pages with tables between markers; a page can have several. */
function tables() {
  const pages = new Map();
  const codes = errorCodesOf(readProject(ROOT, ['src', 'libs', 'apps']));
  const settings = readExample(read('.env.example'));
  const expert = settings.filter(({ isExpert }) => isExpert);
  const ordinary = settings.filter(({ isExpert }) => !isExpert);
  for (const { path, marker, text } of [
    { path: 'docs/settings.md', marker: 'settings', text: settingsTable(ordinary) },
    { path: 'docs/settings.md', marker: 'expert', text: settingsTable(expert) },
    { path: 'docs/errors.md', marker: 'codes', text: errorTable(codes) },
    { path: 'docs/manual/commands.md', marker: 'herald', text: heraldTable(COMMANDS) },
    { path: 'docs/manual/commands.md', marker: 'npm', text: npmTable() },
    { path: 'docs/manual/promises.md', marker: 'promises', text: promiseTable(PROMISES) },
    ...manualTables(),
  ]) {
    pages.set(path, replaceBetween(pages.get(path) ?? read(path), marker, text, path));
  }
  return pages;
}

async function providers() {
  return providerPages(await import('../../dist/libs/channels/src/index.js'));
}

/** Of workflow files from openapi.json, and that of test files. */
async function schemas() {
  const { FILE_KINDS, fileSchema } = await import('../../dist/src/bootstrap/api-document/file-schema.js');
  const { testFileSchema } = await import('../../dist/apps/admin/src/testing/test-file.js');
  const { schemas: all } = JSON.parse(read('openapi.json')).components;
  const made = Object.keys(FILE_KINDS).map((kind) => [kind, fileSchema(all, kind)]);
  return [...made, ['workflow-test', testFileSchema()]].map(([kind, schema]) => [
    `schemas/${kind}.json`,
    JSON.stringify(schema),
  ]);
}
