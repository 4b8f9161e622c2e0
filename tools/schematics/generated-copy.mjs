import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { ROOT } from '../build.mjs';
import { addToList } from './edit.mjs';
import { ownEnvironment, runGenerators } from './run-generators.mjs';

const URLS = ['--docs', 'https://docs.acme.example/sms', '--base', 'https://api.acme.example'];
const LINES = [
  ['resource', 'push-policy'],
  ['step', 'open-ticket'],
  ['channel', 'sms', 'acme-sms', ...URLS],
  ['channel', 'sms', 'planned-sms', ...URLS],
  ['channel', 'email', 'acme-mail', ...URLS],
  ['channel', 'chat', 'acme-chat', ...URLS],
  ['channel', 'push', 'acme-push', ...URLS],
];

/**
 * A copy of the project in which the generators have been at work; the caller throws it away.
 * @param more command lines that come after those
 * @returns its folder, the paths that were written, and how the other command lines ended
 */
export async function generatedCopy(more = []) {
  const folder = projectCopy();
  declareOnly(folder, 'sms', 'planned-sms');
  const lines = [...LINES, ...more].map((line) => [...line, '--code-only']);
  const ends = await runGenerators(folder, lines, ownEnvironment());
  const made = ends.slice(0, LINES.length);
  const failed = made.find(({ code }) => code !== 0);
  if (failed !== undefined) throw new Error(failed.err.join('\n'));
  const written = [...made.flatMap(({ out }) => out), ...generateByNest(folder)];
  return { folder, written, ends: ends.slice(LINES.length) };
}

/** The generator of Nest's own manual. */
function generateByNest(folder) {
  const line = ['node_modules/@nestjs/cli/bin/nest.js', 'generate', 'resource', 'memos', '--type', 'rest', '--crud'];
  const { stdout, stderr } = spawnSync(process.execPath, line, {
    cwd: folder,
    env: ownEnvironment(),
    encoding: 'utf8',
  });
  const written = [...stdout.matchAll(/(?:CREATE|UPDATE)\S* (src\/\S+)/g)].map(([, path]) => path);
  if (written.length === 0) throw new Error(`${stdout}${stderr}`);
  return written;
}

/** A copy of the project with the packages and programs of the original; the caller throws it away. */
export function projectCopy() {
  const to = mkdtempSync(join(tmpdir(), 'herald-copy-'));
  const left = new Set(['node_modules', 'dist', '.git', '.data', 'coverage']);
  cpSync(ROOT, to, { recursive: true, filter: (path) => !left.has(relative(ROOT, path).split(sep)[0]) });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(ROOT, name), join(to, name));
  return to;
}

/** A provider that the catalogue names although there is no code for it. */
function declareOnly(root, channel, id) {
  const path = join(root, `libs/channels/src/catalogue/${channel}.ts`);
  const declaration = `declare('${channel}', '${id}', 'Planned', 'user* password*', { note: 'Planned.' })`;
  writeFileSync(path, addToList(readFileSync(path, 'utf8'), `${channel.toUpperCase()}_DECLARATIONS`, declaration));
}
