import { fileURLToPath } from 'node:url';

/** What the threads of the pool run. It lies beside this file, compiled as well as bundled. */
export function renderWorkerFile(): string {
  return fileURLToPath(new URL('./render-worker.js', import.meta.url));
}
