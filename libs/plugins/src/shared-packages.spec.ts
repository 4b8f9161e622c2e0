import { initialize, load, resolve } from './shared-packages.js';

describe('the module hooks', () => {
  const next = (specifier: string, { parentURL = '' }: { parentURL?: string }): { url: string } => ({
    url: `${specifier} from ${parentURL}`,
  });
  const found = (specifier: string, parentURL: string): unknown => resolve(specifier, { parentURL }, next);
  const loaded = (url: string): unknown => load(url, {}, (other) => ({ format: 'module', source: `of ${other}` }));

  beforeAll(() =>
    initialize({
      exports: { 'herald/plugin': ['definePlugin'], '@nestjs/core': [], mongoose: ['default', 'a-b'], zod: ['z'] },
      provider: 'file:///herald/shared-modules.js',
      folders: ['file:///plugin/'],
      herald: 'file:///herald/',
    }),
  );

  it('should give every module the same entry point', () => {
    expect(found('herald/plugin', 'file:///plugin/index.js')).toMatchObject({ url: 'herald-shared:herald/plugin' });
    expect(found('herald/plugin', 'file:///elsewhere.js')).toMatchObject({ url: 'herald-shared:herald/plugin' });
  });

  it.each(['@nestjs/core', 'mongoose', 'zod'])(
    "should give modules of plugins Herald's own copy of %s",
    (specifier) => {
      expect(found(specifier, 'file:///plugin/src/index.js')).toEqual({
        url: `herald-shared:${specifier}`,
        format: 'module',
        shortCircuit: true,
      });
    },
  );

  it.each(['file:///plugin/node_modules/other/index.js', 'file:///node_modules/other/index.js'])(
    'should give packages that a plugin depends on the same Nest: %s',
    (parent) => expect(found('@nestjs/core', parent)).toMatchObject({ url: 'herald-shared:@nestjs/core' }),
  );

  it.each([
    ['@nestjs/core', 'file:///herald/dist/src/main.js'],
    ['@nestjs/core/internal', 'file:///plugin/node_modules/other/index.js'],
    ['lodash', 'file:///plugin/index.js'],
    ['zod-to-ts', 'file:///plugin/index.js'],
    ['@nestjs/axios', 'file:///plugin/index.js'],
    ['zod', 'file:///plugin/node_modules/other/index.js'],
    ['zod', 'file:///plugin-b/index.js'],
  ])('should leave %s alone for %s', (specifier, parent) => {
    expect(found(specifier, parent)).toEqual({ url: `${specifier} from ${parent}` });
  });

  it.each(['@nestjs/core/injector/index.js', 'zod/mini'])(
    'should refuse %s, of which there would be two',
    (specifier) => {
      expect(() => found(specifier, 'file:///plugin/index.js')).toThrow(`'${specifier}' cannot be imported: of `);
      expect(found(specifier, 'file:///elsewhere.js')).toEqual({ url: `${specifier} from file:///elsewhere.js` });
    },
  );

  it('should write a module with the exports of the shared one, whatever their names are', () => {
    expect(loaded('herald-shared:mongoose')).toEqual({
      format: 'module',
      shortCircuit: true,
      source: [
        `const shared = globalThis[Symbol.for("herald.shared-modules")]["mongoose"];`,
        `const e0 = shared["default"]; export { e0 as "default" };`,
        `const e1 = shared["a-b"]; export { e1 as "a-b" };`,
      ].join('\n'),
    });
    expect(loaded('file:///plugin/index.js')).toEqual({ format: 'module', source: 'of file:///plugin/index.js' });
  });
});
