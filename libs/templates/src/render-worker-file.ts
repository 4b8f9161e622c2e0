import { fileURLToPath } from 'node:url';

/** In this directory, both compiled and bundled. */
export function renderWorkerFile(): string {
  return fileURLToPath(new URL('./render-worker.js', import.meta.url));
}
