import { createRenderer } from './renderer.js';

const renderer = createRenderer();
const DATA = {
  name: 'root',
  a: ['x', 'y'],
  b: ['x', 'y'],
  n: [0, 1, ''],
  flags: [true, false],
  people: [{ name: 'Ann' }, { name: 'Bob' }],
  lists: [['x'], ['x']],
  days: [new Date(0)],
  same: { value: 'x', inner: { value: 'x' } },
  none: [null],
};

describe('a value of a scope around', () => {
  it.each([
    ['{{#each a}}{{#each ../b}}{{../this}}{{this}} {{/each}}{{/each}}', 'xx xy yx yy '],
    ['{{#each a}}{{#each ../b}}{{../.}}{{.}} {{/each}}{{/each}}', 'xx xy yx yy '],
    ['{{#each a}}{{#each ../a}}{{../../name}} {{/each}}{{/each}}', 'root root root root '],
    ['{{#each n}}{{#each ../n}}[{{../this}}{{this}}]{{/each}}{{/each}}', '[00][01][0][10][11][1][0][1][]'],
    [
      '{{#each flags}}{{#each ../flags}}{{../this}}-{{this}} {{/each}}{{/each}}',
      'true-true true-false false-true false-false ',
    ],
    ['{{#each people}}{{#each ../people}}{{../name}}{{name}} {{/each}}{{/each}}', 'AnnAnn AnnBob BobAnn BobBob '],
    ['{{#each people}}{{#each ../people}}{{#if (ne this ../this)}}{{name}} {{/if}}{{/each}}{{/each}}', 'Bob Ann '],
    ['{{#each people as |p|}}{{#each ../people}}{{#if (eq this p)}}{{name}} {{/if}}{{/each}}{{/each}}', 'Ann Bob '],
    ['{{#a}}{{#../b}}{{../this}}{{this}} {{/../b}}{{/a}}', 'xx xy yx yy '],
    [
      '{{#with same}}{{#with value}}{{#with ../inner.value}}{{../this}} {{../../../name}}{{/with}}{{/with}}{{/with}}',
      'x root',
    ],
    ['{{#each flags}}{{#this}}{{../name}}{{else}}no{{/this}} {{/each}}', 'root no '],
    ['{{#each flags}}{{#if this}}{{../name}}{{else}}no{{/if}} {{/each}}', 'root no '],
    ['{{#each n}}{{#unless this}}{{../name}} {{/unless}}{{/each}}', 'root root '],
    ['{{#each a}}{{#if (eq this "x")}}{{uppercase this}}{{../name}}{{/if}}{{this.length}}{{/each}}', 'Xroot11'],
    ['{{#each lists}}{{#each this}}{{this}}{{../../name}} {{/each}}{{/each}}', 'xroot xroot '],
    ['{{#each days}}{{dateFormat this "yyyy"}} {{../name}}{{/each}}', '1970 root'],
    ['{{#each none}}[{{this}}]{{../name}}{{else}}-{{/each}}', '[]root'],
    ['{{#each a}}{{json this}}{{numberFormat @index decimalLength=0}}{{../name}} {{/each}}', '"x"0root "y"1root '],
    ['{{#each missing}}x{{else}}{{../name}}{{name}}{{/each}}', 'root'],
    ['{{#each lists}}{{#this}}{{this}}{{../../name}} {{/this}}{{/each}}', 'xroot xroot '],
    ['{{#each people}}{{#with this}}{{name}}{{../name}} {{/with}}{{/each}}', 'Annroot Bobroot '],
    ['{{#each people}}{{#this}}{{name}}{{../name}} {{/this}}{{/each}}', 'Annroot Bobroot '],
    ['{{#if name}}{{#each a}}{{../name}} {{/each}}{{/if}}', 'root root '],
  ])('should be what it is there: %s', (source, wanted) => {
    expect(renderer.render(source, DATA, { escaping: 'none' })).toBe(wanted);
  });

  it('should not change the data', () => {
    const before = structuredClone(DATA);
    renderer.render('{{#each people}}{{#each ../people}}{{../name}}{{/each}}{{/each}}', DATA);
    expect(DATA).toEqual(before);
  });
});
