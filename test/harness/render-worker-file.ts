import { join } from 'node:path';

/** Stands for libs/templates/src/render-worker-file.ts in tests: threads run what is built. */
export function renderWorkerFile(): string {
  return join(process.cwd(), 'dist/libs/templates/src/render-worker.js');
}
