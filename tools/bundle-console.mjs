import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'apps/console';
const OUT = 'dist/console';
const require = createRequire(import.meta.url);

/**
 * Bundles the console into files whose names change with their content, each also compressed, and the page that loads
 * them (ADR 60). If esbuild has no build for the platform, Herald starts without the console.
 * @returns {boolean} false if there is no console
 */
export function bundleConsole() {
  const out = join(ROOT, OUT);
  rmSync(out, { recursive: true, force: true });
  let esbuild;
  try {
    esbuild = require('esbuild');
    const files = assetsOf(esbuild);
    mkdirSync(join(out, 'assets'), { recursive: true });
    for (const { path, contents } of files) keep(path, contents);
    const page = readFileSync(join(ROOT, SOURCE, 'index.html'), 'utf8')
      .replace('{{script}}', addressOf(files, '.js'))
      .replace('{{style}}', addressOf(files, '.css'));
    writeFileSync(join(out, 'index.html'), page);
    return true;
  } catch (error) {
    rmSync(out, { recursive: true, force: true });
    process.stderr.write(`herald: the console could not be bundled and is not served: ${error.message}\n`);
    return false;
  } finally {
    esbuild?.stop();
  }
}

function assetsOf(esbuild) {
  const { outputFiles } = esbuild.buildSync({
    absWorkingDir: ROOT,
    entryPoints: [{ in: `${SOURCE}/src/main.tsx`, out: 'console' }],
    outdir: `${OUT}/assets`,
    entryNames: '[name]-[hash]',
    tsconfig: `${SOURCE}/tsconfig.json`,
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
  return outputFiles;
}

/** A file and its compressed forms, which are made once and not for each request. */
function keep(path, contents) {
  writeFileSync(path, contents);
  writeFileSync(`${path}.br`, brotliCompressSync(contents));
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: 9 }));
}

function addressOf(files, ending) {
  const found = files.find(({ path }) => path.endsWith(ending));
  if (!found) throw new Error(`The console has no ${ending} file.`);
  return `/console/assets/${basename(found.path)}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = bundleConsole() ? 0 : 1;
