import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = 'apps/console';
const OUT = 'dist/console';
const require = createRequire(import.meta.url);

/**
 * Bundles the console into files whose names change with their content, each also compressed, and the page that loads
 * them (ADR 60). If esbuild has no build for the platform, Herald starts without the console.
 * @param {boolean} isDevelopment in a moment, with source maps, and not made small
 * @returns {boolean} false if there is no console
 */
export function bundleConsole(isDevelopment = false) {
  const out = join(ROOT, OUT);
  rmSync(out, { recursive: true, force: true });
  let esbuild;
  try {
    esbuild = require('esbuild');
    const { outputFiles, metafile } = assetsOf(esbuild, isDevelopment);
    mkdirSync(join(out, 'assets'), { recursive: true });
    for (const { path, contents } of outputFiles) keep(path, contents, isDevelopment);
    const { script, style, parts } = firstLoad(metafile);
    const preloads = parts.map((part) => `<link rel="modulepreload" href="${part}" />`).join('\n    ');
    const page = readFileSync(join(ROOT, SOURCE, 'index.html'), 'utf8')
      .replace('{{script}}', script)
      .replace('{{style}}', style)
      .replace('{{preloads}}', preloads);
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

function assetsOf(esbuild, isDevelopment) {
  return esbuild.buildSync({
    absWorkingDir: ROOT,
    entryPoints: [{ in: `${SOURCE}/src/main.tsx`, out: 'console' }],
    outdir: `${OUT}/assets`,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    // What only some pages need is loaded with them: the editor of workflows (ADR 60).
    splitting: true,
    metafile: true,
    tsconfig: `${SOURCE}/tsconfig.json`,
    bundle: true,
    minify: !isDevelopment,
    sourcemap: isDevelopment && 'inline',
    format: 'esm',
    target: ['chrome111', 'firefox115', 'safari16.4'],
    legalComments: 'none',
    write: false,
    logLevel: 'error',
  });
}

/** A file and its compressed forms, which are made once and not for each request. */
function keep(path, contents, isDevelopment) {
  writeFileSync(path, contents);
  const params = isDevelopment ? { [constants.BROTLI_PARAM_QUALITY]: 1 } : {};
  writeFileSync(`${path}.br`, brotliCompressSync(contents, { params }));
  writeFileSync(`${path}.gz`, gzipSync(contents, { level: isDevelopment ? 1 : 9 }));
}

/** The addresses of what every page needs: the script, its style, and the parts that the script imports at once. */
function firstLoad({ outputs }) {
  // Herald knows the path below which browsers reach it.
  const address = (path) => `{{publicPath}}/console/assets/${basename(path)}`;
  const [script, { imports, cssBundle }] = Object.entries(outputs).find(([, { entryPoint }]) =>
    entryPoint?.endsWith('/main.tsx'),
  );
  if (cssBundle === undefined) throw new Error('The console has no style.');
  const parts = imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => address(path));
  return { script: address(script), style: address(cssBundle), parts };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = bundleConsole() ? 0 : 1;
