import { checkEngines, checkLockfile } from './lockfile.mjs';

const parent = { optionalDependencies: { 'x-linux': '1.0.0', 'x-darwin': '1.0.0' } };

describe('checkLockfile', () => {
  it('should find the package of another platform that is missing', () => {
    const packages = { '': {}, 'node_modules/x': parent, 'node_modules/x-linux': {} };
    expect(checkLockfile({ packages })).toEqual([expect.stringContaining('x-darwin, which node_modules/x may need')]);
  });

  it.each([
    'node_modules/x-darwin',
    'node_modules/a/node_modules/x-darwin',
    'node_modules/a/node_modules/x/node_modules/x-darwin',
  ])('should accept it at %s', (path) => {
    const packages = { 'node_modules/a/node_modules/x': parent, 'node_modules/x-linux': {}, [path]: {} };
    expect(checkLockfile({ packages })).toEqual([]);
  });

  it('should find an entry that no package needs', () => {
    const packages = { '': {}, 'node_modules/x': {}, 'node_modules/y': { extraneous: true } };
    expect(checkLockfile({ packages })).toEqual([expect.stringContaining('node_modules/y is extraneous')]);
  });
});

describe('checkEngines', () => {
  const packages = {
    '': { version: '1.0.0', engines: { node: '>=20.19' } },
    'node_modules/any': { version: '1.0.0' },
    'node_modules/new': { version: '2.0.0', engines: { node: '^22.22.2 || >=24.15.0' } },
    'node_modules/old': { version: '3.0.0', engines: { node: '>=18 <26' } },
    'node_modules/optional': { version: '4.0.0', engines: { node: '>=26' }, optional: true },
  };

  it('should name each package that excludes the newest release of a supported version', () => {
    expect(checkEngines({ packages }, ['20.19', '22', '24', '26'])).toEqual([
      'node_modules/new 2.0.0 needs Node ^22.22.2 || >=24.15.0, which excludes 20.19.',
      'node_modules/old 3.0.0 needs Node >=18 <26, which excludes 26.',
    ]);
  });
});
