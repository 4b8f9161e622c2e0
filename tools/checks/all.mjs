import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, ROOT } from '../build.mjs';

/** Every check but the tests, as in package.json. The slow ones come first: two run at a time. */
const CHECKS = [
  ['lint', 'node_modules/eslint/bin/eslint.js', '.'],
  ['typecheck', 'node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--noEmit'],
  ['typecheck of the console', 'node_modules/typescript/bin/tsc', '-p', 'apps/console'],
  ['typecheck of the embedded store', 'node_modules/typescript/bin/tsc', '-p', 'packages/embedded-mongo'],
  ['typecheck of the client', 'node_modules/typescript/bin/tsc', '-p', 'packages/client'],
  ['typecheck of the inbox', 'node_modules/typescript/bin/tsc', '-p', 'packages/inbox'],
  ['format:check', 'node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'],
  ['knip', 'node_modules/knip/bin/knip.js'],
  ['check:errors', 'tools/checks/route-errors.mjs'],
  ['check:generated', 'tools/checks/generated-code.mjs'],
  ['check:folders', 'tools/checks/folder-circles.mjs'],
  ['check:crumbs', 'tools/checks/crumbs.mjs'],
  ['check:lockfile', 'tools/checks/lockfile.mjs'],
  ['check:openapi', 'tools/checks/openapi.mjs'],
  ['check:openapi-lint', 'tools/checks/openapi-lint.mjs'],
  ['check:env', 'tools/checks/env.mjs'],
  ['check:kubernetes', 'tools/checks/kubernetes.mjs'],
  ['check:helm', 'tools/checks/helm.mjs'],
  ['check:docs', 'tools/docs/write.mjs', '--check'],
  ['check:docs, schemas', 'tools/schemas/write.mjs', '--check'],
  ['check:docs, providers', 'tools/provider-docs.mjs', '--check'],
];

process.chdir(ROOT);
// Also writes the types of the API, which the console uses.
ensureBuilt();
const waiting = [...CHECKS];
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
    if (code !== 0 || name.startsWith('check:')) process.stdout.write(output);
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
