import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join('dist', 'bundle');
const require = createRequire(import.meta.url);
export const BUNDLED_API = join(OUT, 'main.js');

/** Programs that `npm start` runs: the API, the embedded store, and the threads that render. */
const ENTRIES = [
  'dist/src/main.js',
  'packages/embedded-mongo/dist/program.js',
  'dist/libs/templates/src/render-worker.js',
];

const EXTERNAL = [
  // Native, or reads files of its own folder.
  'lmdb',
  'swagger-ui-dist',
  // Must run before any class of the bundle is defined; the banner loads it.
  'reflect-metadata',
  // Loaded by import() on first use. In a bundle, import() would hide the names of a CommonJS package.
  '@fastify/cors',
  '@fastify/static',
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
  // Optional dependencies of other packages that Herald does not install.
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-socket.io',
  '@nestjs/platform-express',
  '@fastify/multipart',
  '@fastify/view',
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
 * some 3,000 modules one by one (ADR 13). If esbuild has no build for the platform, the unbundled program is used.
 * @param out folder for the result, below the repository
 * @returns {boolean} false if there is no bundle
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
      // Nest and Mongoose use the names of classes.
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
    // Its service process of some 200 MB would run as long as this process, which becomes Herald.
    esbuild?.stop();
  }
}

/** `import()` of a CommonJS package gives its names when Node loads it, and only `default` in a bundle. */
function assertNamesAreKept(inputs) {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const lost = imports.find(({ kind, path }) => kind === 'dynamic-import' && inputs[path]?.format === 'cjs');
    if (lost) throw new Error(`${file} loads ${lost.path} by import(); list its package as external.`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) bundle();
