import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join('dist', 'bundle');
const require = createRequire(import.meta.url);
export const BUNDLED_API = join(OUT, 'main.js');

/** What `npm start` runs: the API, and beside it the embedded store and what threads that render run. */
const ENTRIES = [
  'dist/src/main.js',
  'packages/embedded-mongo/dist/program.js',
  'dist/libs/templates/src/render-worker.js',
];

const EXTERNAL = [
  // Native, or looks for files beside itself.
  'lmdb',
  'swagger-ui-dist',
  // Has to act before any class of the bundle is made; the banner loads it.
  'reflect-metadata',
  // Loaded by import() when first needed. In a bundle that would hide the names of a CommonJS package.
  'class-transformer',
  'class-validator',
  'file-type',
  'aws4fetch',
  'ioredis',
  'jose',
  'juice',
  'nodemailer',
  'sanitize-html',
  'undici',
  // Optional companions of other packages that Herald does not install.
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-socket.io',
  '@fastify/*',
  'fastify',
  'kerberos',
  'snappy',
  '@mongodb-js/zstd',
  'mongodb-client-encryption',
  '@aws-sdk/credential-providers',
  'gcp-metadata',
  'aws4',
  'socks',
];

const BANNER = [
  "import 'reflect-metadata';",
  "import { createRequire as heraldCreateRequire } from 'node:module';",
  'const require = heraldCreateRequire(import.meta.url);',
].join('\n');

/**
 * Joins the compiled program and its packages into a few files: Node spends most of a start on finding and opening
 * some 3,000 modules one by one (ADR 13). Where esbuild has no build for the platform, the unbundled program serves.
 * @param out folder for the result, below the repository
 * @returns {boolean} false where there is no bundle
 */
export function bundle(out = OUT) {
  rmSync(join(ROOT, out), { recursive: true, force: true });
  let esbuild;
  try {
    esbuild = require('esbuild');
    const { metafile } = esbuild.buildSync({
      absWorkingDir: ROOT,
      entryPoints: ENTRIES,
      entryNames: '[name]',
      outdir: out,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // Nest and Mongoose go by the names of classes.
      keepNames: true,
      sourcemap: 'linked',
      sourcesContent: false,
      external: EXTERNAL,
      banner: { js: BANNER },
      logLevel: 'error',
      metafile: true,
    });
    assertNamesAreKept(metafile.inputs);
    return true;
  } catch (error) {
    rmSync(join(ROOT, out), { recursive: true, force: true });
    process.stderr.write(`herald: the program could not be bundled and will start more slowly: ${error.message}\n`);
    return false;
  } finally {
    // Its service would stay, with some 200 MB, as long as the Herald that this process goes on to be.
    esbuild?.stop();
  }
}

/** `import()` of a CommonJS package has its names when Node loads it, and only `default` in a bundle. */
function assertNamesAreKept(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const lost = imports.find(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs');
    if (lost) throw new Error(`${file} loads ${lost.path} by import(); list its package as external.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundle();
