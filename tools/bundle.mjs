import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { JOINED } from '../bin/commands.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OUT = join('dist', 'bundle');
export const PROGRAMS_OUT = join('dist', 'programs');
const require = createRequire(import.meta.url);
export const BUNDLED_API = join(OUT, 'main.js');
export const BUNDLED_COMMANDS = join(OUT, 'command.js');

/** The API and the commands. One CommonJS file, because Node 20 can keep compiled code of scripts only (ADR 42). */
const PROGRAM = [
  "export * from './dist/src/bootstrap/joined-program.js';",
  'export const commands = {',
  ...JOINED.map((file) => `'${file}': async () => (await import('./${file}')).run(),`),
  '};',
].join('\n');
/** What starts the API, the embedded store, what plugins and threads load of the API, and threads. */
const OTHER_ENTRIES = [
  { in: 'tools/launch.mjs', out: 'main' },
  { in: 'packages/embedded-mongo/dist/program.js', out: 'program' },
  { in: 'tools/shared-modules.mjs', out: 'shared-modules' },
  { in: 'tools/in-tree-plugins.mjs', out: 'in-tree-plugins' },
  { in: 'tools/command.mjs', out: 'command' },
  { in: 'dist/libs/templates/src/render-worker.js', out: 'render-worker' },
  { in: 'dist/libs/plugins/src/shared-packages.js', out: 'shared-packages' },
];
const PLUGIN_API = 'dist/src/bootstrap/plugin-api/index.js';

const METADATA = 'reflect-metadata';

/** What the programs load at run time. */
export const RUNTIME_PACKAGES = [
  METADATA,
  // Native, or reads files of its own folder.
  'lmdb',
  'swagger-ui-dist',
  // Large, and loaded on first use.
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-node',
  'ioredis',
  '@socket.io/cluster-adapter',
  '@socket.io/redis-adapter',
  'ajv',
  'juice',
  // Reads a file of its own folder.
  'mrml',
  'nodemailer',
  'prom-client',
  'sanitize-html',
  'socket.io',
  'undici',
  'web-push',
];

const EXTERNAL = [
  ...RUNTIME_PACKAGES.filter((name) => name !== METADATA),
  // Optional dependencies of other packages that Herald does not install.
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

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Nest and Mongoose use the names of classes.
  keepNames: true,
  // The source stays in memory. Lines end after 500 characters, so that the position in a stack trace can be found.
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 500,
  sourcemap: 'linked',
  sourcesContent: false,
  external: EXTERNAL,
  logLevel: 'error',
};

/** Packages that the API would otherwise evaluate twice. */
const ALIAS = {
  'node:module': './tools/bundled-require.cjs',
  // The driver requires it, Herald imports it, and the package answers each with a file of its own.
  bson: './node_modules/bson/lib/bson.cjs',
  // Written with classes and arrow functions. The files for Node have functions only, which get a name for each request.
  rxjs: './node_modules/rxjs/dist/esm/index.js',
  'rxjs/operators': './node_modules/rxjs/dist/esm/operators/index.js',
};

const BANNER = [
  "import { createRequire as heraldCreateRequire } from 'node:module';",
  'const require = heraldCreateRequire(import.meta.url), __dirname = import.meta.dirname;',
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
    joinProgram(esbuild, out);
    joinOthers(esbuild, out);
    writePluginEntry(esbuild, out);
    return true;
  } catch (error) {
    rmSync(join(ROOT, out), { recursive: true, force: true });
    process.stderr.write(`herald: the program could not be bundled, so it will start more slowly: ${error.message}\n`);
    return false;
  } finally {
    // Its service process of some 200 MB would run as long as this process, which becomes Herald.
    esbuild?.stop();
  }
}

function joinProgram(esbuild, out) {
  const { outputFiles } = esbuild.buildSync({
    ...COMMON,
    stdin: { contents: PROGRAM, resolveDir: ROOT, sourcefile: 'program.js' },
    outfile: join(out, 'herald.cjs'),
    format: 'cjs',
    alias: ALIAS,
    write: false,
    // A script that comes from the cache cannot import(); require() gives the names of CommonJS packages as well. What is not in the
    // bundle is imported by a function that tools/joined-program.mjs passes.
    supported: { 'dynamic-import': false },
    // Files such as the program of the store are found beside main.js.
    define: { 'import.meta.url': 'heraldUrl' },
    banner: { js: "const heraldUrl = require('node:url').pathToFileURL(__dirname + '/main.js').href;" },
  });
  mkdirSync(join(ROOT, out), { recursive: true });
  for (const { path, text, contents } of outputFiles)
    writeFileSync(path, path.endsWith('.cjs') ? recognizableClasses(nameOnce(shareNamespaces(grown(text)))) : contents);
}

/** Not of a lone `{...rest}`, which may be a pattern, nor of a text or a regular expression. */
const COPY_WITH_MORE = /(?<!\\)\{(\n?)\.\.\.(?=[\w$([{'"`!+-])(?![\w$]+\})/g;

/**
 * `{...a, b}` becomes `{...null,...a, b}`, which means the same. V8 (of Node 20) begins `{...a` as a copy of `a`, and gives such a copy a
 * hidden class of its own for each key that is added: 0.5 to 2 µs and 300 to 900 bytes for a key (ADR 148).
 */
export function grown(program) {
  return program.replace(COPY_WITH_MORE, '{$1...null,...');
}

/** `class{` for `class {`: Nest takes a function for a class if its text begins with `class` and a space. */
const recognizableClasses = (program) => program.replaceAll(/\bclass\{/g, 'class {');

const NEW_NAMESPACE = /\bvar __toESM ?= ?\(/g;

/**
 * Each module that imports a CommonJS package gets a namespace object with a getter for every name, 20,000 getters in all.
 * As in Node, a package needs one: esbuild's helper is wrapped by one that remembers.
 */
function shareNamespaces(program) {
  if (program.match(NEW_NAMESPACE)?.length !== 1) throw new Error('The helper for namespaces of esbuild has changed.');
  const shared =
    'var heraldNamespaces=[new WeakMap(),new WeakMap()],__toESM=(mod,isNodeMode)=>{' +
    'let known=heraldNamespaces[isNodeMode?1:0],namespace=known.get(mod);' +
    'if(!namespace)known.set(mod,namespace=heraldNewNamespace(mod,isNodeMode));return namespace},heraldNewNamespace=(';
  return program.replace(NEW_NAMESPACE, shared);
}

const NEW_NAME = /\bvar __name ?= ?\((\w+), ?(\w+)\) ?=> ?/g;

/**
 * esbuild's helper for `keepNames` defines a property of each function that a request makes. Nest and Mongoose need the names of
 * classes and constructors only, so whatever begins with a small letter or has its name stays as it is. One arrow function is
 * known by its name: @nestjs/swagger takes what is called `type` for a function that returns a type.
 */
export function nameOnce(program) {
  if (program.match(NEW_NAME)?.length !== 1) throw new Error('The helper for names of esbuild has changed.');
  return program.replace(NEW_NAME, (helper, target, name) => {
    return `${helper}${name}>='a'&&${name}!=='type'||${target}.name===${name}?${target}:`;
  });
}

function joinOthers(esbuild, out) {
  const program = readFileSync(join(ROOT, out, 'herald.cjs'));
  const { metafile, outputFiles } = esbuild.buildSync({
    ...COMMON,
    entryPoints: OTHER_ENTRIES,
    outdir: out,
    splitting: true,
    format: 'esm',
    write: false,
    define: { HERALD_BUILD: JSON.stringify(createHash('sha256').update(program).digest('hex').slice(0, 16)) },
    banner: { js: BANNER },
    metafile: true,
  });
  assertNamesAreKept(metafile.inputs);
  writeGrown(outputFiles);
}

function writeGrown(outputFiles) {
  for (const { path, text, contents } of outputFiles)
    writeFileSync(path, path.endsWith('.js') ? grown(text) : contents);
}

/** `herald/plugin` for the tests of plugins: takes its exports out of the joined program, which is not started. */
function writePluginEntry(esbuild, out) {
  const { metafile } = esbuild.buildSync({
    absWorkingDir: ROOT,
    entryPoints: [PLUGIN_API],
    format: 'esm',
    outdir: out,
    write: false,
    metafile: true,
  });
  const [{ exports: names }] = Object.values(metafile.outputs);
  const lines = [
    "import './shared-modules.js';",
    '',
    `export const { ${names.join(', ')} } = globalThis[Symbol.for('herald.shared-modules')]['herald/plugin'];`,
  ];
  writeFileSync(join(ROOT, out, 'plugin.js'), `${lines.join('\n')}\n`);
}

/**
 * Joins each of further programs with its packages, so that none needs more than the external packages.
 * @param entries compiled files by the name that each gets
 */
export function bundlePrograms(entries) {
  rmSync(join(ROOT, PROGRAMS_OUT), { recursive: true, force: true });
  const esbuild = require('esbuild');
  try {
    const { outputFiles } = esbuild.buildSync({
      ...COMMON,
      entryPoints: Object.entries(entries).map(([name, file]) => ({ in: file, out: name })),
      outdir: PROGRAMS_OUT,
      // With import(), a CommonJS package of the bundle would lose its names. Files that share code would use it.
      splitting: false,
      supported: { 'dynamic-import': false },
      format: 'esm',
      sourcemap: false,
      write: false,
      banner: { js: BANNER },
    });
    mkdirSync(join(ROOT, PROGRAMS_OUT), { recursive: true });
    writeGrown(outputFiles);
  } finally {
    esbuild.stop();
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
