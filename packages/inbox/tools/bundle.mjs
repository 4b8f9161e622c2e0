import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

// node tools/bundle.mjs [folder] [--development]: the files for pages without a bundler, and beside each its compressed forms. Those for
// development are made in a moment, have source maps, and are not small.
const HERE = fileURLToPath(new URL('..', import.meta.url));
const esbuild = createRequire(import.meta.url)('esbuild');
const [out = join(HERE, 'dist')] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folder = resolve(out);
const isDevelopment = process.argv.includes('--development');
const brotli = isDevelopment ? { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } } : {};
const gzip = { level: isDevelopment ? 1 : 9 };

/** Style sheets are texts in the sources. */
const minifiedStyles = {
  name: 'minified-styles',
  setup(build) {
    build.onLoad({ filter: /style\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace(/(const CSS = `)([^`]*)(`)/, (_all, start, css, end) => {
        const { code } = esbuild.transformSync(css, { loader: 'css', minify: true });
        return start + code.trim().replaceAll('\\', '\\\\') + end;
      });
      return { contents, loader: 'ts' };
    });
  },
};

const { outputFiles } = await esbuild.build({
  absWorkingDir: HERE,
  entryPoints: [{ in: 'src/script.ts', out: 'herald-inbox' }],
  outdir: folder,
  plugins: [minifiedStyles],
  bundle: true,
  splitting: true,
  chunkNames: '[name]',
  minify: !isDevelopment,
  sourcemap: isDevelopment && 'inline',
  format: 'esm',
  target: ['chrome111', 'firefox115', 'safari16.4'],
  legalComments: 'none',
  write: false,
  logLevel: 'error',
});
mkdirSync(folder, { recursive: true });
for (const { path, contents } of outputFiles) keep(basename(path), contents);
keep('push-worker.js', readFileSync(join(HERE, 'src', 'push-worker.js')));
esbuild.stop();

function keep(name, contents) {
  const path = join(folder, name);
  writeFileSync(path, contents);
  writeFileSync(`${path}.br`, brotliCompressSync(contents, brotli));
  writeFileSync(`${path}.gz`, gzipSync(contents, gzip));
}
