import { copyFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPage } from '../install.mjs';

// Joins the published components with the page into dist here, from where Herald serves them at /inbox-demo. Herald needs none of them.
const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUT = join(HERE, 'dist');

export function buildInboxDemo() {
  installPage('tools/inbox-demo');
  const esbuild = createRequire(import.meta.url)('esbuild');
  rmSync(OUT, { recursive: true, force: true });
  esbuild.buildSync({
    absWorkingDir: HERE,
    entryPoints: ['page/page.jsx'],
    outdir: OUT,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  for (const file of ['index.html', 'style.css']) copyFileSync(join(HERE, 'page', file), join(OUT, file));
  esbuild.stop();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  buildInboxDemo();
  console.log('Built. Open /inbox-demo of Herald, which needs no restart; `npm start` starts it.');
}
