import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Whether Node was started with this file, as in `node dist/apps/delivery-worker/src/main.js`. The command `herald` imports
 * it instead, and calls what it exports.
 * @param url `import.meta.url` of the file
 */
export function isStartedProgram(url: string): boolean {
  const [, started] = process.argv;
  return started !== undefined && realOf(started) === realOf(fileURLToPath(url));
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
