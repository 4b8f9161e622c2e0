import { licenceFaults, notice, shippedPackages } from './notice.mjs';

const packages = {
  '': { dependencies: { a: '1', store: '1', '@types/a': '1' }, devDependencies: { tool: '1' } },
  'apps/console': { dependencies: { page: '1' } },
  'packages/embedded-mongo': { dependencies: { lmdb: '1' } },
  'node_modules/store': { link: true, resolved: 'packages/embedded-mongo' },
  'node_modules/lmdb': { license: 'MIT', dependencies: { 'lmdb-linux': '1' } },
  'node_modules/lmdb-linux': { license: 'MIT', os: ['linux'] },
  'node_modules/a': { license: 'MIT', dependencies: { b: '1' } },
  'node_modules/a/node_modules/b': { license: 'ISC' },
  'node_modules/b': { license: 'GPL-3.0' },
  'node_modules/page': { license: '0BSD' },
  'node_modules/tool': { license: 'GPL-3.0' },
  'node_modules/@types/a': { license: 'MIT' },
};
const text = (year) => `MIT License\n\nCopyright (c) ${year} Ada\n\n${'Permission is hereby granted. '.repeat(20)}`;

describe('NOTICE', () => {
  it('should name what ships, and no tools, types or parts for one platform', () => {
    const names = ['a', 'a/node_modules/b', 'lmdb', 'page'];
    expect(shippedPackages({ packages })).toEqual(names.map((name) => `node_modules/${name}`));
  });

  it('should have each licence once, after its packages and their owners', () => {
    const texts = { 'node_modules/a': text(2020), 'node_modules/lmdb': text(2021) };
    const written = notice({ packages }, (place) => texts[place]);
    expect(written).toContain('MIT\n\na\n    Copyright (c) 2020 Ada\nlmdb\n    Copyright (c) 2021 Ada\n\nMIT License');
    expect(written.match(/Permission is hereby granted/g)).toHaveLength(20);
    expect(written).toContain('ISC\n\nb\n');
  });

  it('should be refused with a licence that Herald does not ship', () => {
    expect(licenceFaults({ packages })).toEqual([]);
    const other = { ...packages, 'node_modules/a/node_modules/b': { license: 'GPL-3.0' } };
    expect(licenceFaults({ packages: other })).toEqual([
      "node_modules/a/node_modules/b: Herald does not ship packages with the licence 'GPL-3.0'.",
    ]);
  });
});
