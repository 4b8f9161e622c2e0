import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import mongoose from 'mongoose';
import { buildDocsSite } from '../docs-site/build.mjs';
import { installPage } from '../install.mjs';
import { optionalPeers, SHARED_PACKAGES } from './manifest.mjs';
import { driveManualPlugins, packagesOfManual, PLUGIN_SETTINGS, saveManualPlugins } from './manual-plugins.mjs';
import { COMMANDS } from '../../bin/commands.mjs';
import { examineDocumentation } from './documentation.mjs';
import { deliver, firstMessage, Trial } from './trial.mjs';

const ROOT = process.cwd();
/** What `npm pack` and its scripts read. */
const PARTS = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'nest-cli.json',
  'openapi.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'NOTICE',
  'CONTRIBUTING.md',
  'SECURITY.md',
];
const FOLDERS = ['bin', 'dist', 'tools', 'src', 'libs', 'apps', 'packages', 'docs', 'examples', 'ops', 'schemas'];
const CONFIGURATIONS = ['tsconfig.base.json', 'tsconfig.json', 'tsconfig.app.json'];

const MANY_FIELDS = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`field ${n} of the document`, 'text']));

/** `npm pack` in a copy of the repository, and what an operator does with the result; without an installation over the network. */
describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'herald-package-'));
  const repository = join(folder, 'repository');
  const installed = join(folder, 'node_modules', 'herald');
  const work = join(folder, 'work');
  let packed;
  let trial;

  beforeAll(() => {
    // Copied with the rest, instead of built a second time.
    buildDocsSite();
    // The copy has these packages, and installs none.
    installPage('tools/inbox-demo');
    copyRepository(repository);
    packed = pack(repository);
    keep(packed, repository);
    mkdirSync(installed, { recursive: true });
    mkdirSync(work);
    spawnSync('tar', ['xzf', join(repository, packed.filename), '--strip-components=1', '-C', installed]);
    linkDependencies(installed);
    trial = new Trial([process.execPath, join(installed, 'bin', 'herald.mjs')], work);
  });
  afterAll(() => {
    trial?.end();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should contain no source but the examples, and nothing of the machine that packed it', () => {
    const paths = packed.files.map(({ path }) => path).filter((path) => !path.startsWith('examples/'));
    const others = paths.filter(
      (path) =>
        !/^(bin|dist\/(bundle|console|inbox|plugin-types|programs)|schemas|tools\/(docs-site|inbox-demo)\/dist)\//.test(
          path,
        ),
    );
    expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'package.json']);
    expect(
      paths.filter(
        (path) =>
          /\.(map|ts)$/.test(path) && !/^dist\/(plugin-types\/.+\.d\.ts|(bundle|programs)\/[^/]+\.js\.map)$/.test(path),
      ),
    ).toEqual([]);
    expect(packed.files.map(({ path }) => path)).toContain('examples/test-herald.mjs');
    expect(packed.files.filter(({ path }) => path.includes('/dist/') && path.startsWith('examples/'))).toEqual([]);
    expect(packed.size).toBeLessThan(12_500_000);
  });

  it('should leave package.json as it was', () => {
    expect(readFileSync(join(repository, 'package.json'), 'utf8')).toBe(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    );
  });

  it('should start from an empty folder, deliver, and keep its data there', async () => {
    const first = await trial.start();
    expect(first.output).toContain('embedded store in ./.herald');
    expect(readFileSync(join(work, '.herald', '.gitignore'), 'utf8')).toBe('*\n');
    expect((await fetch(`${first.url}/v1/health-check`)).status).toBe(200);
    expect((await fetch(`${first.url}/api/swagger-ui-bundle.js`)).status).toBe(200);
    expect(await (await fetch(`${first.url}/docs/manual/tutorial`)).text()).toContain('<h1 id="tutorial"');
    expect(await deliver(first)).toBe('Hello Ada');
    expect(trial.run('keys', 'list').out).toContain('first key');
    const backup = trial.run('backup', '--to', 'backup');
    expect([backup.status, backup.out]).toEqual([0, expect.stringContaining('of ./.herald to backup')]);
    expect(await first.stop()).toBe(0);
    const second = await trial.start();
    expect(await firstMessage(second.client)).toBe('Hello Ada');
    expect(await second.stop()).toBe(0);
    rmSync(join(work, '.herald'), { recursive: true });
    expect(trial.run('restore', '--from', 'backup').out).toContain('Restored');
  });

  it('should serve the documentation, to people and to programs', async () => {
    const own = new Trial(trial.command, mkdtempSync(join(folder, 'docs-')));
    const { url, stop } = await own.start();
    await examineDocumentation(url);
    expect(await stop()).toBe(0);
  });

  it('should leave nothing of its demo in a MongoDB', async () => {
    const store = new Trial(trial.command, mkdtempSync(join(folder, 'mongodb-')));
    await store.withStore(async (uri) => {
      const { status, err } = new Trial(trial.command, store.folder, { MONGODB_URI: uri }).run('demo');
      expect([status, err]).toEqual([0, '']);
      await withDatabase(uri, async (db) => {
        const { databases } = await db.admin().listDatabases({ nameOnly: true });
        expect(databases.filter(({ name }) => name.startsWith('herald_demo'))).toEqual([]);
      });
    });
  });

  it('should serve the page /inbox-demo unless a setting switches it off', async () => {
    const demo = new Trial(trial.command, mkdtempSync(join(folder, 'demo-')));
    const { url, stop } = await demo.start();
    expect(await (await fetch(`${url}/inbox-demo`)).text()).toContain('<title>');
    const script = await fetch(`${url}/inbox-demo/page.js`);
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
    expect(await stop()).toBe(0);
    const without = await new Trial(trial.command, demo.folder, { INBOX_DEMO: 'off' }).start();
    expect((await fetch(`${without.url}/inbox-demo`)).status).toBe(404);
    expect(await without.stop()).toBe(0);
  });

  it('should run the plugins of the manual, also in its threads and commands', async () => {
    const plugins = new Trial(trial.command, mkdtempSync(join(folder, 'plugins-')), PLUGIN_SETTINGS);
    saveManualPlugins(plugins.folder);
    const herald = await plugins.start();
    try {
      await driveManualPlugins(herald, plugins.folder);
    } finally {
      await herald.stop();
    }
    const { status, out } = plugins.run('db:indexes');
    expect([status, out]).toEqual([0, expect.stringMatching(/^The indexes of \d+ collections .+ are up to date\.\n$/)]);
  });

  it('should name lines of TypeScript in stack traces', () => {
    const code = `
      import { definePlugin } from 'herald/plugin';
      try { definePlugin(); } catch ({ stack }) { console.log(stack); }`;
    const { stdout } = spawnSync(process.execPath, ['--enable-source-maps', '--input-type=module', '-e', code], {
      cwd: work,
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/src\/bootstrap\/plugin-api\/define-plugin\.ts:\d+:\d+/);
  });

  it('should give the tests of a plugin what herald/plugin exports, without starting', () => {
    const sharedModules = join(installed, 'dist', 'bundle', 'shared-modules.js');
    const code = `
      import * as plugin from 'herald/plugin';
      const { SHARED_EXPORTS: shared } = await import(${JSON.stringify(pathToFileURL(sharedModules).href)});
      const isRefused = new plugin.StepError('x', { retryable: false }).retryable === false;
      console.log(JSON.stringify({ names: Object.keys(plugin), packages: Object.keys(shared), isRefused }));`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: work,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const { names, packages, isRefused } = JSON.parse(stdout);
    expect(names).toEqual(expect.arrayContaining(['definePlugin', 'defineStep', 'StepError', 'TenantRecord', 'z']));
    expect(isRefused).toBe(true);
    const manual = readFileSync(join(ROOT, 'docs', 'manual', 'plugins.md'), 'utf8');
    expect(packages.filter((name) => !manual.includes(`\`${name}\``))).toEqual([]);
    const known = packages.filter((name) => !['herald/plugin', 'rxjs/operators', 'mongodb'].includes(name));
    expect(known.sort()).toEqual([...SHARED_PACKAGES].sort());
    const { peerDependencies, peerDependenciesMeta, dependencies } = manifestOf(installed);
    expect({ peerDependencies, peerDependenciesMeta }).toEqual(optionalPeers(manifestOf(ROOT).dependencies));
    expect(Object.keys(dependencies)).not.toContain('@nestjs/common');
  });

  describe('the types of herald/plugin', () => {
    let typed;

    beforeAll(() => {
      typed = mkdtempSync(join(folder, 'typed-'));
      saveManualPlugins(typed);
      const target = join(typed, 'node_modules', 'herald');
      for (const part of ['package.json', 'dist/plugin-types']) {
        cpSync(join(installed, part), join(target, part), { recursive: true });
      }
      // What the page tells its reader to install, and nothing else.
      for (const name of packagesOfManual()) {
        const link = join(typed, 'node_modules', name);
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(join(ROOT, 'node_modules', name), link);
      }
      writeFileSync(join(typed, 'package.json'), '{ "type": "module" }');
    });

    const compiled = (packages, ...args) => {
      const tsc = join(packages, 'typescript', 'bin', 'tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, ...args], { cwd: typed, encoding: 'utf8' });
      return [status, stdout];
    };

    it('should be those of the plugins in the manual', () => {
      expect(compiled(join(ROOT, 'node_modules'))).toEqual([0, '']);
    });

    it('should be those of a plugin that has all that plugins add', () => {
      cpSync(join(installed, 'examples', 'plugin-duty'), join(typed, 'plugin-duty'), { recursive: true });
      expect(compiled(join(ROOT, 'node_modules'), '-p', 'plugin-duty')).toEqual([0, '']);
    });

    it('should suit the TypeScript that a reader of the manual gets from npm today', () => {
      const newest = mkdtempSync(join(folder, 'typescript-'));
      const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
      const { status } = spawnSync('npm', ['install', '--prefix', newest, ...options, 'typescript@latest']);
      if (status !== 0) return void process.stderr.write('npm is not reached: the newest TypeScript was not tried.\n');
      expect(compiled(join(newest, 'node_modules'))).toEqual([0, '']);
    });
  });

  it('should refuse data of a newer version, in one line that says what to do', async () => {
    const newer = new Trial(trial.command, mkdtempSync(join(folder, 'newer-')));
    await (await newer.start()).stop();
    await newer.withStore((uri) =>
      withDatabase(uri, (db) => db.collection('storeState').updateOne({ _id: 'schema' }, { $inc: { version: 1 } })),
    );
    for (const command of [['start'], ['keys', 'list'], ['db:migrate'], ['db:indexes']]) {
      const { status, out, err } = newer.run(...command);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(/^[^\n]*schema version \d+, and this version of Herald knows \d+ at most[^\n]*\n$/);
    }
    await newer.withStore((uri) =>
      withDatabase(uri, (db) =>
        // The store keeps its format where documents are compressed: where there are many of many fields.
        db.collection('many').insertMany(Array.from({ length: 3_000 }, () => ({ ...MANY_FIELDS }))),
      ),
    );
    raiseFormat(join(newer.folder, '.herald', 'store', 'data.mdb'));
    const { status, err } = newer.run('start');
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/written by a newer version of the embedded store \(format 4/),
    ]);
  });

  it.each([
    ['--version', 0, JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version],
    ['--help', 0, 'Usage: herald <command>'],
    ['strat', 2, "'strat' is not a command. Did you mean 'herald start'?"],
    ['constructor', 2, "'constructor' is not a command."],
    ['backup', 2, 'Usage: herald backup --to <folder>'],
    ['db:copy', 2, 'herald db:copy --to mongodb://host/herald '],
    ['db:indexes', 1, 'There is no Herald store in the directory ./.herald'],
    ['worker', 1, 'MONGODB_URI: a separate worker needs a MongoDB'],
    ['embedded-mongo', 2, '--dbpath'],
  ])('should answer to herald %s', (command, status, text) => {
    const elsewhere = new Trial(trial.command, mkdtempSync(join(folder, 'other-')));
    const { status: ended, out, err } = elsewhere.run(command);
    expect([ended, out + err]).toEqual([status, expect.stringContaining(text)]);
  });

  it.each(Object.keys(COMMANDS))('should print the usage of herald %s, and do nothing else', (command) => {
    const elsewhere = new Trial(trial.command, mkdtempSync(join(folder, 'help-')));
    const { status, out, err } = elsewhere.run(command, '--help');
    expect([status, out, err]).toEqual([0, expect.stringMatching(/^Usage: herald /), '']);
    expect(readdirSync(elsewhere.folder)).toEqual([]);
  });

  it('should say so where Node is too old', () => {
    const old = `Object.defineProperty(process.versions, 'node', { value: '20.18.3' }); await import(${JSON.stringify(join(installed, 'bin', 'herald.mjs'))});`;
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', old], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^herald: Node\.js 20\.19 or later is required; this is 20\.18\.3/),
    ]);
  });
});

async function withDatabase(uri, work) {
  const client = new mongoose.mongo.MongoClient(uri);
  await client.connect();
  await work(client.db());
  await client.close();
}

/** Gives the data the next version of its format, where the store has written which one it has. */
function raiseFormat(file) {
  const data = readFileSync(file);
  const field = (version) => Buffer.from(`\x10format\0${String.fromCharCode(version)}\0\0\0`, 'latin1');
  let at = data.indexOf(field(3));
  expect(at).toBeGreaterThan(0);
  for (; at >= 0; at = data.indexOf(field(3), at)) field(4).copy(data, at);
  writeFileSync(file, data);
}

function copyRepository(target) {
  mkdirSync(target);
  // A lock of a build that runs meanwhile would never be released in the copy.
  const unwanted = /(^|\/)(node_modules|dist\.next|\.build\.lock)$|\.compile-cache$|inbox-demo\/dist$|docs-site\/site$/;
  const isWanted = (path) => !unwanted.test(path);
  for (const name of [...PARTS, ...FOLDERS, ...CONFIGURATIONS]) {
    cpSync(join(ROOT, name), join(target, name), { recursive: true, preserveTimestamps: true, filter: isWanted });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(target, 'node_modules'));
  for (const own of [
    'tools/docs-site/node_modules',
    'tools/inbox-demo/node_modules',
    'packages/client/node_modules',
    'packages/inbox/node_modules',
  ]) {
    if (existsSync(join(ROOT, own))) symlinkSync(join(ROOT, own), join(target, own));
  }
}

function pack(repository) {
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json'], { cwd: repository, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.slice(stdout.indexOf('[')))[0];
}

/** For `npm run test:package`, which installs the same package. */
function keep({ filename, size, unpackedSize }, repository) {
  const folder = process.env.HERALD_PACK_TO;
  if (folder === undefined) return;
  cpSync(join(repository, filename), join(folder, filename));
  writeFileSync(join(folder, 'packed.json'), JSON.stringify({ filename, size, unpackedSize }));
}

const manifestOf = (packageFolder) => JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));

/** Those that the package names, and no others. */
function linkDependencies(packageFolder) {
  const { dependencies } = manifestOf(packageFolder);
  for (const name of Object.keys(dependencies)) {
    const link = join(packageFolder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
}
