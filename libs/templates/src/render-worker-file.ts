import { fileURLToPath } from 'node:url';

/** Entry file of the render threads, in the same directory as this file, both compiled and bundled. */
export function renderWorkerFile(): string {
  return fileURLToPath(new URL('./render-worker.js', import.meta.url));
}
