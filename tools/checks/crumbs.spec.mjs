import { crumbsOf } from './crumbs.mjs';
import { parse } from './project.mjs';

const project = (files) => Object.entries(files).map(([path, text]) => parse(path, text));
const USER = "import { cage } from './cage.js';";
const ZOO = { 'src/zoo/keeper.ts': USER, 'src/zoo/cage.ts': 'export const cage = 1;' };

describe('crumbsOf', () => {
  it('should find a small file that one neighbour uses', () => {
    expect(crumbsOf(project(ZOO))).toEqual([{ path: 'src/zoo/cage.ts', user: 'src/zoo/keeper.ts' }]);
  });

  it('should count tests as no users', () => {
    expect(crumbsOf(project({ ...ZOO, 'src/zoo/keeper.spec.ts': USER }))).toHaveLength(1);
  });

  it.each([
    ['a second user', { 'src/zoo/visitor.ts': USER }],
    ['a test of its own', { 'src/zoo/cage.spec.ts': USER }],
    ['more lines', { 'src/zoo/cage.ts': 'export const cage = 1;\n'.repeat(25) }],
    ['a class of Nest', { 'src/zoo/cage.ts': '@Injectable()\nexport class cage {}' }],
    ['no user', { 'src/zoo/keeper.ts': '' }],
  ])('should leave a file alone that has %s', (_what, files) => {
    expect(crumbsOf(project({ ...ZOO, ...files }))).toEqual([]);
  });

  it.each([
    ['what is public', { 'src/zoo/index.ts': "export { cage } from './cage.js';", 'src/zoo/cage.ts': '' }],
    ['errors', { 'src/zoo/keeper.ts': "import './zoo.errors.js';", 'src/zoo/zoo.errors.ts': '' }],
  ])('should leave %s alone', (_what, files) => {
    expect(crumbsOf(project(files))).toEqual([]);
  });
});
