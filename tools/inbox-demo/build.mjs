import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// npm run inbox-demo: installs the published components beside this file and joins them with the page into dist here,
// from where Herald serves them at /inbox-demo. They are no dependencies of Herald, so that its own installation stays small.
const HERE = fileURLToPath(new URL('.', import.meta.url));
const OUT = join(HERE, 'dist');
const LOCK = join(HERE, 'package-lock.json');
/** Holds the lock file that the installed packages come from. */
const INSTALLED = join(HERE, 'node_modules', '.installed-lock.json');

/** Builds the page if it is missing or was built from other packages. @throws if npm cannot install the components */
export function buildInboxDemo() {
  const lock = readFileSync(LOCK, 'utf8');
  if (!existsSync(INSTALLED) || readFileSync(INSTALLED, 'utf8') !== lock) {
    const npm = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: HERE,
      // `npm pack --json` writes to the standard output.
      stdio: ['ignore', 2, 2],
    });
    if (npm.status !== 0) throw new Error('npm could not install the components of the page.');
    writeFileSync(INSTALLED, lock);
  }
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
