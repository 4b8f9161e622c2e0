import { readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** What starts the API, the commands and the embedded store, and what plugins and threads load of them. */
const ENTRIES = {
  main: 'tools/main.mjs',
  command: 'tools/command.mjs',
  program: 'packages/embedded-mongo/dist/program.js',
  plugin: 'dist/src/bootstrap/plugin-api/index.js',
  'shared-modules': 'dist/src/bootstrap/plugin-host/shared-modules.js',
  'shared-packages': 'dist/libs/plugins/src/shared-packages.js',
  'in-tree-plugins': 'dist/src/plugins.js',
  'render-worker': 'dist/libs/templates/src/render-worker.js',
};

/** What the programs load at run time; the npm package installs it. */
export const RUNTIME_PACKAGES = [
  // Native, or reads files of its own folder.
  'lmdb',
  'mrml',
  'swagger-ui-dist',
  // @nestjs/mapped-types and Herald have to get the same copy, and the former calls require().
  'class-transformer',
  'class-validator',
  // Large, and loaded on first use.
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  'ioredis',
  '@socket.io/redis-adapter',
  'ajv',
  'juice',
  'nodemailer',
  'prom-client',
  'sanitize-html',
  'socket.io',
  'undici',
  'web-push',
];

/** Optional dependencies of other packages that Herald does not use. */
const NOT_INSTALLED = [
  'file-type',
  '@nestjs/microservices',
  '@nestjs/websockets',
  '@nestjs/platform-socket.io',
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

/** What modules of CommonJS expect, in files that are none. */
const BANNER = [
  "import { createRequire as createRequireOfFile } from 'node:module';",
  'const require = createRequireOfFile(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;',
].join('\n');

/**
 * Nest and Mongoose use the names of classes, which esbuild changes where files share a scope. "keepNames" for the whole bundle would name
 * each function anew that RxJS, Nest, Fastify and the driver make for a request: a fifth of a read (ADR 151).
 */
const NAMED =
  /[\\/](dist[\\/](src|libs|apps)|node_modules[\\/](mongoose[\\/]lib|bson|@nestjs[\\/](common|core[\\/](errors|injector)|event-emitter|mapped-types|mongoose|swagger)))[\\/].*\.m?js$/;
const namesOfClasses = {
  name: 'names-of-classes',
  setup({ onLoad }) {
    // Of a bundle that is made again and again, a file is only read when it was written.
    const known = new Map();
    onLoad({ filter: NAMED }, async ({ path }) => {
      const { mtimeMs } = statSync(path);
      if (known.get(path)?.mtimeMs !== mtimeMs) {
        const { code } = await esbuild.transform(withMap(path), {
          keepNames: true,
          sourcemap: 'inline',
          sourcefile: path,
        });
        known.set(path, { mtimeMs, contents: code });
      }
      return { contents: known.get(path).contents };
    });
  },
};

/** Source maps of `tsc` lie beside its files, and a text has its map within it. */
function withMap(path) {
  return readFileSync(path, 'utf8').replace(/^\/\/# sourceMappingURL=(?!data:)(.+)$/m, (_comment, file) => {
    const map = readFileSync(join(dirname(path), file), 'base64');
    return `//# sourceMappingURL=data:application/json;base64,${map}`;
  });
}

/**
 * Joins compiled programs and their packages into a few files: Node spends most of a start on finding and opening some 3,000 modules one by
 * one (ADR 151).
 * @param entries compiled files by the name that each gets
 * @param out folder for the result, below the repository
 */
export async function bundle(entries = ENTRIES, out = 'dist/bundle') {
  rmSync(join(ROOT, out), { recursive: true, force: true });
  return esbuild.build(bundleOptions(entries, out));
}

export function bundleOptions(entries = ENTRIES, out = 'dist/bundle') {
  return {
    absWorkingDir: ROOT,
    entryPoints: entries,
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    plugins: [namesOfClasses],
    // Files that share code do not keep the order of imports, and decorators need it first.
    inject: ['reflect-metadata'],
    sourcemap: 'linked',
    sourcesContent: false,
    external: [...RUNTIME_PACKAGES, ...NOT_INSTALLED],
    banner: { js: BANNER },
    metafile: true,
    logLevel: 'error',
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void bundle();
