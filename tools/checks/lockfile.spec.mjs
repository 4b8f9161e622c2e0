import { checkLockfile } from './lockfile.mjs';

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
