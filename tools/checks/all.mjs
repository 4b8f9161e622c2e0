import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from '../build.mjs';

const TSC = 'node_modules/typescript/bin/tsc';
/** Every check but the tests, by name. The slow ones come first: two run at a time. */
const CHECKS = [
  ['lint', 'node_modules/eslint/bin/eslint.js', '.'],
  ['types', TSC, '-p', 'tsconfig.json', '--noEmit'],
  ['types:console', TSC, '-p', 'apps/console'],
  ['types:store', TSC, '-p', 'packages/embedded-mongo'],
  ['types:client', TSC, '-p', 'packages/client'],
  ['types:inbox', TSC, '-p', 'packages/inbox'],
  ['format', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  ['knip', 'node_modules/knip/bin/knip.js'],
  ['errors', 'tools/checks/route-errors.mjs'],
  ['generated', 'tools/checks/generated-code.mjs'],
  ['folders', 'tools/checks/folder-circles.mjs'],
  ['crumbs', 'tools/checks/crumbs.mjs'],
  ['lockfile', 'tools/checks/lockfile.mjs'],
  ['notice', 'tools/checks/notice.mjs'],
  ['openapi', 'tools/checks/openapi.mjs'],
  ['openapi:lint', 'tools/checks/openapi-lint.mjs'],
  ['env', 'tools/checks/env.mjs'],
  ['kubernetes', 'tools/checks/kubernetes.mjs'],
  ['helm', 'tools/checks/helm.mjs'],
  ['docs', 'tools/docs/write.mjs', '--check'],
];

const wanted = process.argv.slice(2);
const names = CHECKS.map(([name]) => name);
/** `types` means `types:client` as well. */
const isMeant = (name, given) => name === given || name.startsWith(`${given}:`);
const unknown = wanted.filter((given) => !names.some((name) => isMeant(name, given)));
if (unknown.length > 0) {
  console.log(
    `${unknown[0] === '--list' ? 'The checks' : `There is no check '${unknown[0]}', only`}: ${names.join(', ')}`,
  );
  process.exit(unknown[0] === '--list' ? 0 : 2);
}

process.chdir(ROOT);
// Also writes the types of the API, which the console uses.
ensureBuilt();
const waiting = CHECKS.filter(([name]) => wanted.length === 0 || wanted.some((given) => isMeant(name, given)));
const failed = [];
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

async function work() {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const [name, program, ...args] = check;
    const started = performance.now();
    const { code, output } = await run(join(ROOT, program), args);
    if (code !== 0) failed.push(name);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
    process.stdout.write(output);
  }
}

/** Buffers the output until the check ends, because two run at a time. */
function run(program, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code) => resolve({ code, output }));
  });
}
