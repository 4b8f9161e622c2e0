import { jest } from '@jest/globals';
import Handlebars from 'handlebars';
import { missingValues } from './missing-values.js';
import { createRenderer } from './renderer.js';

const DATA = {
  name: 'Ann',
  nothing: null,
  empty: '',
  zero: 0,
  off: false,
  order: { id: 1, lines: [{ sku: 'a', price: 1 }, { sku: 'b' }] },
  none: [],
  plan: 'gold',
};

describe('missingValues', () => {
  it.each([
    ['Hello {{name}} {{ order.id }}', []],
    ['plain text', []],
    ['Hello {{nmae}}', ['nmae']],
    ['{{{raw}}} {{&also}}', ['raw', 'also']],
    ['{{order.number}} {{order.address.city}}', ['order.number', 'order.address.city']],
    ['{{this.nmae}} {{./x}} {{@root.y}}', ['nmae', 'x', 'y']],
    ['{{nmae}} {{nmae}}', ['nmae']],
    // what is there, whatever it is
    ['{{nothing}}{{empty}}{{zero}}{{off}}{{none}}', []],
    ['{{nothing.more}}', ['nothing.more']],
    ['{{order.lines.length}} {{name.length}} {{order.lines.[0].sku}} {{order.lines.[5].sku}}', ['order.lines.5.sku']],
    // what objects inherit is not there
    ['{{toString}} {{order.hasOwnProperty}}', ['toString', 'order.hasOwnProperty']],
    // helpers show their arguments, unless they compare them
    ['{{uppercase nmae}} {{dateFormat day "yyyy"}} {{pluralize n "a" b}}', ['nmae', 'day', 'n', 'b']],
    ['{{numberFormat sum decimalLength=digits}}', ['sum', 'digits']],
    ['{{uppercase (lowercase x)}} {{json y}} {{lookup z k}}', ['x', 'y', 'z']],
    ['{{eq x 1}} {{#if (eq plan y)}}{{/if}}', []],
  ])('should look at what %j shows', (source, expected) => {
    expect(missingValues([source], DATA)).toEqual(expected);
  });

  it.each([
    ['{{#if x}}{{x}}{{/if}}', []],
    ['{{#if x}}{{x}}{{else}}{{y}}{{/if}}', ['y']],
    ['{{#unless x}}{{y}}{{/unless}}{{#unless name}}{{z}}{{/unless}}', ['y']],
    ['{{#if name}}{{y}}{{/if}}', ['y']],
    ['{{#if none}}{{y}}{{/if}}{{#if zero}}{{y}}{{/if}}{{#if zero includeZero=true}}{{z}}{{/if}}', ['z']],
    ['{{#if x}}{{else if name}}{{y}}{{else}}{{z}}{{/if}}', ['y']],
    ['{{#if (eq plan "gold")}}{{y}}{{else}}{{z}}{{/if}}', ['y']],
    ['{{#eq plan "free"}}{{y}}{{else}}{{z}}{{/eq}}', ['z']],
    ['{{#if (unique none)}}{{y}}{{else}}{{z}}{{/if}}', []],
    ['{{#x}}{{y}}{{/x}}{{^x}}{{z}}{{/x}}', ['z']],
    ['{{#order}}{{id}} {{number}} {{../name}} {{../nmae}}{{/order}}', ['order.number', 'nmae']],
    ['{{#with order}}{{number}}{{else}}{{y}}{{/with}}{{#with x}}{{y}}{{else}}{{z}}{{/with}}', ['order.number', 'z']],
    ['{{#with order as |o|}}{{o.number}} {{name}}{{/with}}', ['order.number', 'order.name']],
  ])('should leave out in %j what is asked about and what is not shown', (source, expected) => {
    expect(missingValues([source], DATA)).toEqual(expected);
  });

  it.each([
    ['{{#each order.lines}}{{sku}} {{price}} {{@index}} {{../name}} {{@root.name}}{{/each}}', ['order.lines[].price']],
    [
      '{{#each order.lines as |line i|}}{{line.sku}} {{line.price}} {{i}} {{name}}{{/each}}',
      ['order.lines[].name', 'order.lines[].price'],
    ],
    ['{{#each lines}}{{sku}}{{/each}}', ['lines']],
    ['{{#each lines}}{{sku}}{{else}}{{y}}{{/each}}', ['y']],
    ['{{#each none}}{{sku}}{{/each}}', []],
    ['{{#each order}}{{this}}{{/each}}', []],
  ])('should go through the lists of %j', (source, expected) => {
    expect(missingValues([source], DATA)).toEqual(expected);
  });

  it('should tell a few names of limited length, over all sources', () => {
    const many = Array.from({ length: 50 }, (_, n) => `{{k${n}}}`).join('');
    expect(missingValues([many, '{{more}}'], {})).toHaveLength(20);
    expect(missingValues([`{{${'x'.repeat(500)}}}`], {})[0]).toHaveLength(101);
    expect(missingValues(['{{a}}', '{{b}}', '{{a}}'], {})).toEqual(['a', 'b']);
  });

  it('should leave a template that cannot be read to whoever renders it', () => {
    expect(missingValues(['{{#if}}', '{{a'], {})).toEqual([]);
  });

  it('should end where lists are nested in lists', () => {
    const list = Array.from({ length: 1_000 }, () => ({ list: [] as unknown[] }));
    for (const one of list) one.list = list;
    const source = '{{#each list}}{{#each list}}{{#each list}}{{#each list}}{{x}}{{/each}}{{/each}}{{/each}}{{/each}}';
    expect(missingValues([source], { list })).toEqual(['list[].list[].list[].list[].x']);
  });

  it('should agree with what is rendered: nothing is missing where every value is there', () => {
    const source = '{{name}} {{#each order.lines}}{{sku}}{{/each}}{{#if x}}{{x}}{{/if}}';
    expect(createRenderer().render(source, DATA)).toBe('Ann ab');
    expect(missingValues([source], DATA)).toEqual([]);
  });

  it('should list the keys of a large object once, however many recipients share it', () => {
    let lists = 0;
    const x = new Proxy(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n])), {
      ownKeys: (target) => {
        lists += 1;
        return Reflect.ownKeys(target);
      },
    });
    const source = '{{#each x}}{{this}}{{/each}}{{#each x}}{{../nmae}}{{/each}}';
    for (let time = 0; time < 5; time += 1) expect(missingValues([source], { x })).toEqual(['nmae']);
    expect(lists).toBe(1);
  });

  it('should not read very large templates', () => {
    const parse = jest.spyOn(Handlebars, 'parse');
    expect(missingValues([`{{nmae}}${'x'.repeat(200_000)}`, '{{nmae}}'.repeat(301)], {})).toEqual([]);
    expect(parse).not.toHaveBeenCalled();
    expect(missingValues([`{{nmae}}${'x'.repeat(100_000)}`, '{{other}}'.repeat(300)], {})).toEqual(['nmae', 'other']);
  });
});
