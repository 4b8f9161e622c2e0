import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiProgram, ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
stopWithShell();
ensureBuilt();
// Where Node has it (22.1 and later), compiled code is kept from start to start.
module.enableCompileCache?.(join(ROOT, 'node_modules', '.cache', 'herald'));
await import(pathToFileURL(apiProgram()).href);

/** npm passes a signal on to the shell that it started and no further; when that one is gone, Herald stops as well. */
function stopWithShell() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
