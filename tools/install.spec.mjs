import { outdatedPackages } from './install.mjs';

const locked = {
  '': { dependencies: { a: '^1.0.0' }, devDependencies: { b: '^1.0.0' } },
  'packages/own': { devDependencies: { c: '^2.0.0' } },
  'tools/page': { devDependencies: { vitepress: '^1.0.0' } },
  'node_modules/a': { version: '1.0.0' },
  'node_modules/b': { version: '1.2.0' },
  'node_modules/c': { version: '1.0.0' },
  'packages/own/node_modules/c': { version: '2.0.0' },
  'node_modules/own': { link: true },
  'node_modules/vitepress': { version: '1.0.0' },
};
const without = (packages, left) =>
  Object.fromEntries(Object.entries(packages).filter(([path]) => !left.includes(path)));
const installed = without(locked, ['', 'packages/own', 'tools/page', 'node_modules/vitepress']);

describe('outdatedPackages', () => {
  const outdated = (there, scope = 'all', wanted = locked) => outdatedPackages(wanted, there, scope);

  it('should find nothing where everything but the pages is installed', () => {
    expect(outdated(installed)).toEqual([]);
  });

  it('should count what somebody added with npm install', () => {
    const more = {
      ...locked,
      '': { ...locked[''], dependencies: { a: '^1.0.0', x: '^3.0.0' } },
      'node_modules/x': { version: '3.0.0' },
    };
    expect(outdated(installed, 'all', more)).toEqual(['node_modules/x']);
    expect(outdated({ ...installed, 'node_modules/x': { version: '3.0.0' } }, 'all', more)).toEqual([]);
  });

  it('should find what a new lock file has changed or left out', () => {
    expect(outdated({ ...installed, 'node_modules/a': { version: '0.9.0' } })).toEqual(['node_modules/a']);
    expect(outdated({ ...installed, 'node_modules/old': { version: '1.0.0' } })).toEqual(['node_modules/old']);
  });

  it('should need packages for development only for development', () => {
    const run = without(installed, ['node_modules/b']);
    expect([outdated(run, 'run'), outdated(run)]).toEqual([[], ['node_modules/b']]);
  });
});
