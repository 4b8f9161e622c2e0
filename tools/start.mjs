import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { stopWithShell } from '../bin/commands.mjs';
import { API_PROGRAM, ensureBuilt, ROOT } from './build.mjs';

const LOWEST_PRIORITY = constants.priority.PRIORITY_LOW;

process.chdir(ROOT);
stopWithShell();
ensureBuilt('run');
await import(pathToFileURL(API_PROGRAM).href);
buildDocs();

/** Builds what is served at /docs once Herald is ready, so that a start does not wait for it. */
function buildDocs() {
  if (process.env.DOCS_ENABLED === 'off' || process.exitCode) return;
  const program = join(ROOT, 'tools', 'docs-site', 'build.mjs');
  const child = spawn(process.execPath, [program], { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
  child.on('error', () => undefined);
  if (child.pid !== undefined) setPriority(child.pid, LOWEST_PRIORITY);
  child.unref();
}
