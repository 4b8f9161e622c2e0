import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'node_modules', '.cache', 'herald-tests');
let file;

/** Stands for libs/templates/src/render-worker-file.ts in tests: the same program, bundled from its source. */
export function renderWorkerFile() {
  if (file === undefined) {
    mkdirSync(FOLDER, { recursive: true });
    file = join(FOLDER, `render-worker-${process.pid}.mjs`);
    execFileSync(process.execPath, [
      createRequire(import.meta.url).resolve('esbuild/bin/esbuild'),
      join(ROOT, 'libs/templates/src/render-worker.ts'),
      '--bundle',
      '--platform=node',
      '--format=esm',
      '--log-level=error',
      `--alias:#libs/plugins=${join(ROOT, 'libs/plugins/src/index.ts')}`,
      `--alias:#libs/worker-pool=${join(ROOT, 'libs/worker-pool/src/index.ts')}`,
      ...['handlebars', 'lru-cache', 'luxon', 'juice', 'sanitize-html'].map((name) => `--external:${name}`),
      `--outfile=${file}`,
    ]);
  }
  return file;
}
