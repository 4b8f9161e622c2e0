import { pathToFileURL } from 'node:url';
import { apiProgram, ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
stopWithShell();
ensureBuilt('run');
await import(pathToFileURL(apiProgram()).href);

/** npm forwards a signal to the shell that it started, but not to Herald; Herald stops when the shell has ended. */
function stopWithShell() {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}
