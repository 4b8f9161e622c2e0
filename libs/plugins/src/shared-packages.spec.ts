import { initialize, resolve } from './shared-packages.js';

describe('the module hook', () => {
  const HERALD = 'file:///herald/package.json';
  const next = (specifier: string, { parentURL = '' }: { parentURL?: string }): { url: string } => ({
    url: `${specifier} from ${parentURL}`,
  });
  const found = (specifier: string, parentURL: string): unknown => resolve(specifier, { parentURL }, next);

  beforeAll(() => initialize({ entry: 'file:///herald/entry.js', from: HERALD, folders: ['file:///plugin/'] }));

  it('should give every module the same entry point', () => {
    expect(found('herald/plugin', 'file:///plugin/index.js')).toMatchObject({ url: 'file:///herald/entry.js' });
    expect(found('herald/plugin', 'file:///elsewhere.js')).toMatchObject({ url: 'file:///herald/entry.js' });
  });

  it.each(['@nestjs/common', '@nestjs/core/injector/index.js', 'mongoose', 'zod', 'class-validator'])(
    "should give modules of plugins Herald's own copy of %s",
    (specifier) => {
      expect(found(specifier, 'file:///plugin/src/index.js')).toEqual({ url: `${specifier} from ${HERALD}` });
    },
  );

  it.each([
    ['lodash', 'file:///plugin/index.js'],
    ['zod-to-ts', 'file:///plugin/index.js'],
    ['zod', 'file:///plugin/node_modules/other/index.js'],
    ['zod', 'file:///plugin-b/index.js'],
  ])('should leave %s alone for %s', (specifier, parent) => {
    expect(found(specifier, parent)).toEqual({ url: `${specifier} from ${parent}` });
  });
});
