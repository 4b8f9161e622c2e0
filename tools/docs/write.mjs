import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import prettier from 'prettier';
import { COMMANDS } from '../../bin/commands.mjs';
import { ROOT } from '../build.mjs';
import { readProject } from '../checks/project.mjs';
import { heraldTable, npmTable } from './commands.mjs';
import { readExample } from './env-example.mjs';
import { errorCodesOf, errorTable } from './error-codes.mjs';
import { manualTables } from './manual-tables.mjs';
import { replaceBetween, settingsTable } from './tables.mjs';

// node tools/docs/write.mjs          writes the generated tables of the documentation
// node tools/docs/write.mjs --check  fails where one is out of date
const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const generated = [
  { path: 'docs/settings.md', marker: 'settings', text: settingsTable(readExample(read('.env.example'))) },
  {
    path: 'docs/errors.md',
    marker: 'codes',
    text: errorTable(errorCodesOf(readProject(ROOT, ['src', 'libs', 'apps']))),
  },
  { path: 'docs/manual/commands.md', marker: 'herald', text: heraldTable(COMMANDS) },
  { path: 'docs/manual/commands.md', marker: 'npm', text: npmTable() },
  ...manualTables(),
];

for (const { path, marker, text } of generated) {
  const before = read(path);
  const options = await prettier.resolveConfig(join(ROOT, path));
  const after = await prettier.format(replaceBetween(before, marker, text, path), { ...options, parser: 'markdown' });
  if (before === after) console.log(`${path}: ok`);
  else if (process.argv.includes('--check')) {
    console.error(`${path}: the table '${marker}' is out of date. Run 'npm run docs'.`);
    process.exitCode = 1;
  } else {
    writeFileSync(join(ROOT, path), after);
    console.log(`${path}: written`);
  }
}
