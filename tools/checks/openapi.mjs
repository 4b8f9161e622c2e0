import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { ensureBuilt, ROOT } from '../build.mjs';

const DOCUMENT = 'openapi.json';
/** The fields of subscribers, for the forms of the console. */
const PROFILE = 'apps/console/src/subscribers/profile-fields.json';
/** What operations ask of a caller, for the buttons of the console. */
const OPERATIONS = 'apps/console/src/access/operations.json';

// node tools/checks/openapi.mjs          compares the committed document with what the code says, and what the console has of it
// node tools/checks/openapi.mjs --write  writes them
// The client is generated from this document, so it may not fit the code yet.
ensureBuilt('run');
const { status, stdout } = spawnSync(process.execPath, [join('dist', 'src', 'bootstrap', 'openapi.js')], {
  cwd: ROOT,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  stdio: ['ignore', 'pipe', 'inherit'],
});
if (status !== 0) process.exit(1);

const { PROFILE_FIELDS } = await import('../../dist/src/audience/subscribers/profile.js');
const style = await resolveConfig(join(ROOT, PROFILE));
keep(DOCUMENT, stdout);
keep(PROFILE, await format(JSON.stringify(PROFILE_FIELDS), { ...style, parser: 'json' }));
keep(OPERATIONS, await format(JSON.stringify(neededRights(JSON.parse(stdout))), { ...style, parser: 'json' }));

/** Of each operation that needs more than the scope `read`: its scope, what it is about, and whether it changes definitions. */
function neededRights({ paths }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const strict = operations.filter(({ 'x-herald-scope': scope = 'read' }) => scope !== 'read');
  return Object.fromEntries(
    strict.map(({ operationId, tags, 'x-herald-scope': scope, 'x-herald-definition': definition }) => [
      operationId,
      { scope, tag: tags[0], isDefinition: definition !== undefined },
    ]),
  );
}

function keep(name, text) {
  const file = join(ROOT, name);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (process.argv.includes('--write')) {
    if (committed !== text) writeFileSync(file, text);
    console.log(`${name}: ${committed === text ? 'unchanged' : 'written'}`);
  } else if (committed === text) {
    console.log(`${name}: ok`);
  } else {
    console.error(`${name} differs from the code${firstDifference(committed, text)}. Run 'npm run docs'.`);
    process.exitCode = 1;
  }
}

function firstDifference(before, after) {
  const [left, right] = [before.split('\n'), after.split('\n')];
  const at = right.findIndex((line, index) => line !== left[index]);
  return at < 0 ? '' : ` from line ${at + 1} on: '${(left[at] ?? '').trim()}' is now '${right[at].trim()}'`;
}
