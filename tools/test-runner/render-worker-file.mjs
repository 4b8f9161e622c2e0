import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
let file;

/** Stands for libs/templates/src/render-worker-file.ts in tests: the same program, bundled from its source. */
export function renderWorkerFile() {
  if (file === undefined) {
    file = join(ROOT, 'node_modules', '.cache', 'herald-tests', `render-worker-${process.pid}.mjs`);
    esbuild.buildSync({
      entryPoints: [join(ROOT, 'libs/templates/src/render-worker.ts')],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
      alias: {
        '#libs/plugins': join(ROOT, 'libs/plugins/src/index.ts'),
        '#libs/worker-pool': join(ROOT, 'libs/worker-pool/src/index.ts'),
      },
      external: ['handlebars', 'lru-cache', 'luxon', 'juice', 'sanitize-html'],
    });
  }
  return file;
}
