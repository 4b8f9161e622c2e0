import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { ROOT } from '../build.mjs';
import { architecture } from './boundaries.mjs';

const CYCLES = 'import-x/no-cycle';

/** Only the rules of the structure: rules that need types are slow. */
const linterOf = (configs) =>
  new ESLint({
    cwd: ROOT,
    overrideConfigFile: true,
    overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parser: tseslint.parser } }, ...configs],
  });
const withCycles = linterOf(architecture());
/** For what the other rules judge: this one would read all files that an import leads to. */
const withoutCycles = linterOf([...architecture(), { rules: { [CYCLES]: 'off' } }]);

const faultsOf = async (path, text) => {
  const [result] = await withoutCycles.lintText(text, { filePath: join(ROOT, path) });
  return result.messages.map(({ ruleId }) => ruleId);
};
const importing = (path, specifier) => faultsOf(path, `import { x } from '${specifier}';\nexport { x };`);

describe('who may import whom', () => {
  it.each([
    ['src/engine/messages/messages.service.ts', '../../content/workflows/index.js'],
    ['src/engine/messages/dto/other.ts', '../../../content/workflows/index.js'],
    ['src/engine/delivery/delivery.module.ts', '../messages/index.js'],
    ['src/content/feeds/feeds.service.ts', './feed.schema.js'],
    ['src/content/feeds/feeds.service.ts', '../layouts/index.js'],
    ['src/content/feeds/feeds.service.ts', '../../audience/tenants/index.js'],
    ['src/content/feeds/feeds.service.ts', '#libs/persistence'],
    ['src/content/feeds/feeds.service.ts', '@nestjs/common'],
    ['src/content/content.module.ts', './feeds/index.js'],
    ['src/app.module.ts', './content/content.module.js'],
    ['src/app.module.ts', './engine/events/index.js'],
    ['src/http/read-only.guard.ts', '../platform/environments/index.js'],
    ['src/bootstrap/start-api.ts', '../app.module.js'],
    ['src/bootstrap/start-api.ts', './configure-app.js'],
    ['src/bootstrap/plugin-api/index.ts', '../../engine/messages/records/messages.events.js'],
    ['src/engine/delivery/delivery.module.ts', '../messages/store/index.js'],
    ['apps/delivery-worker/src/main.ts', '../../../src/engine/engine.module.js'],
    ['apps/delivery-worker/src/main.ts', '../../../src/engine/delivery/index.js'],
    ['libs/secrets/src/secrets.module.ts', '#libs/config'],
    ['src/content/feeds/feeds.service.spec.ts', '../../../test/support/test-api.js'],
    ['test/feeds.e2e-spec.ts', '../src/content/feeds/feeds.service.js'],
  ])('should let %s import %s', async (path, specifier) => {
    expect(await importing(path, specifier)).toEqual([]);
  });

  it.each([
    ['a wing above it', 'src/content/workflows/workflows.service.ts', '../../engine/messages/index.js'],
    ['a wing above it by one', 'src/audience/tenants/tenants.service.ts', '../../content/feeds/index.js'],
    ['another wing from the module of a wing', 'src/content/content.module.ts', '../audience/tenants/index.js'],
    ['past a facade from the module of a wing', 'src/content/content.module.ts', './feeds/feeds.module.js'],
    ['the module of a wing', 'src/engine/messages/messages.module.ts', '../../content/content.module.js'],
    ['the frame', 'src/content/feeds/feeds.service.ts', '../../http/caller.guard.js'],
    ['past a facade', 'src/engine/messages/messages.service.ts', '../../content/workflows/workflows.service.js'],
    ['past a facade of its wing', 'src/engine/messages/messages.service.ts', '../delivery/delivery.module.js'],
    ['past a facade from the root', 'src/app.module.ts', './engine/events/events.service.js'],
    ['the start', 'src/content/feeds/feeds.service.ts', '../../bootstrap/start-api.js'],
    ['the root', 'src/content/feeds/feeds.service.ts', '../../app.module.js'],
    ['the inside of a library', 'src/content/feeds/feeds.service.ts', '../../../libs/persistence/src/store.js'],
    ['a test', 'src/content/feeds/feeds.service.ts', '../../../test/support/test-api.js'],
    ['an application', 'src/content/feeds/feeds.service.ts', '../../../apps/delivery-worker/src/main.js'],
    ['a module from a library', 'libs/http-kit/src/page.ts', '../../../src/content/feeds/index.js'],
    [
      'past a facade from an application',
      'apps/delivery-worker/src/main.ts',
      '../../../src/engine/delivery/worker/delivery-worker.js',
    ],
  ])('should refuse %s', async (_what, path, specifier) => {
    expect(await importing(path, specifier)).toContain('boundaries/dependencies');
  });

  it('should judge imports of types too', async () => {
    const text = `import type { MessageResponse } from '../../engine/messages/index.js';\nexport type X = MessageResponse;`;
    expect(await faultsOf('src/content/feeds/feeds.service.ts', text)).toEqual(['boundaries/dependencies']);
  });

  it.each(['src/zebras/zebras.service.ts', 'src/content/zebra.ts'])(
    'should refuse a file outside of the wings: %s',
    async (path) => {
      expect(await faultsOf(path, 'export const x = 1;')).toEqual(['boundaries/no-unknown-files']);
    },
  );
});

describe('instants of local times', () => {
  const TEXT = "export const at = DateTime.fromISO('2030-10-27T02:30', { zone });";

  it('should be made in one file', async () => {
    expect(await faultsOf('libs/schedule/src/local-time.ts', TEXT)).toEqual([]);
    expect(await faultsOf('libs/schedule/src/recurrence.ts', TEXT)).toEqual(['no-restricted-syntax']);
    expect(
      await faultsOf('libs/schedule/src/recurrence.ts', 'export const x = y.setZone(z, { keepLocalTime: true });'),
    ).toEqual(['no-restricted-syntax']);
    for (const path of ['src/engine/events/events.service.ts', 'libs/http-kit/src/page.ts', 'apps/admin/src/keys.ts'])
      expect(await importing(path, 'luxon')).toEqual(['no-restricted-imports']);
  });
});

describe('cycles', () => {
  const folder = mkdtempSync(join(ROOT, 'libs', 'config', 'src', 'cycle-'));

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('should be found over several files', async () => {
    writeFileSync(join(folder, 'b.ts'), "export * from './c.js';");
    writeFileSync(join(folder, 'c.ts'), "import { a } from './a.js';\nexport const c = a;");
    const text = "import { c } from './b.js';\nexport const a = c;";
    writeFileSync(join(folder, 'a.ts'), text);
    const [result] = await withCycles.lintText(text, { filePath: join(folder, 'a.ts') });
    expect(result.messages.map(({ ruleId }) => ruleId)).toEqual([CYCLES]);
  });
});

describe('sizes and envelopes', () => {
  it.each([
    ['src/content/feeds/feeds.service.ts', 400],
    ['src/content/feeds/feeds.controller.ts', 200],
  ])('should let %s have %i lines and no more', async (path, limit) => {
    expect(await faultsOf(path, 'x;\n'.repeat(limit - 1))).toEqual([]);
    expect(await faultsOf(path, 'x;\n'.repeat(limit + 1))).toEqual(['max-lines']);
  });

  it('should let tests be as long as their subject', async () => {
    expect(await faultsOf('test/feeds.e2e-spec.ts', 'x;\n'.repeat(1_000))).toEqual([]);
  });

  it.each([
    ['class A { m() { return { data: 1 }; } }', ['no-restricted-syntax']],
    ['export const f = () => ({ data: 1 });', ['no-restricted-syntax']],
    ['class A { m() { return { dataset: 1 }; } }', []],
  ])('should judge an envelope that a controller builds: %s', async (text, faults) => {
    expect(await faultsOf('src/content/feeds/feeds.controller.ts', text)).toEqual(faults);
  });
});

describe('connections to the store', () => {
  const CREATED = 'export const open = (uri) => mongoose.createConnection(uri);';

  it.each([
    ['src/operations/health/health.service.ts', CREATED],
    ['libs/secrets/src/store-key.ts', CREATED],
    ['apps/admin/src/copy.ts', 'export const open = (uri) => new MongoClient(uri);'],
    ['src/content/feeds/feeds.controller.ts', 'export const open = (uri) => new mongo.MongoClient(uri);'],
  ])('should be made in one place: %s', async (path, text) => {
    expect(await faultsOf(path, text)).toEqual(['no-restricted-syntax']);
  });

  it.each(['libs/persistence/src/connect-to-store.ts', 'apps/admin/test/copy.e2e-spec.ts'])(
    'should be left alone in %s',
    async (path) => {
      expect(await faultsOf(path, CREATED)).toEqual([]);
    },
  );
});

describe('hooks of Mongoose', () => {
  it('should not be passed over in modules', async () => {
    const text = 'export const list = (notes) => notes.find({}, null, { middleware: false });';
    expect(await faultsOf('src/content/feeds/feeds.service.ts', text)).toEqual(['no-restricted-syntax']);
    expect(await faultsOf('src/content/feeds/feeds.controller.ts', text)).toEqual(['no-restricted-syntax']);
  });
});

describe('responses', () => {
  const ASSIGN = 'export const f = (row) => Object.assign(new FeedResponse(), { name: row.name });';

  it.each([
    'src/content/feeds/dto/feed.response.ts',
    'src/content/feeds/feeds.service.ts',
    'src/content/feeds/feeds.controller.ts',
  ])('should not be built by Object.assign: %s', async (path) => {
    expect(await faultsOf(path, ASSIGN)).toEqual(['no-restricted-syntax']);
  });

  it.each([
    ['src/content/feeds/feeds.service.ts', 'export const f = (row) => Object.assign({}, row);'],
    ['src/content/feeds/feeds.service.ts', 'export const f = (row) => Object.assign(row, { at: new Date() });'],
    ['src/content/feeds/feeds.service.spec.ts', ASSIGN],
    ['libs/channels/src/core/declaration.ts', ASSIGN],
  ])('should leave other assignments alone: %s', async (path, text) => {
    expect(await faultsOf(path, text)).toEqual([]);
  });
});
