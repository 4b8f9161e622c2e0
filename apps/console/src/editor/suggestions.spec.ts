import { expressionAt, pathsOf, suggestionsOf } from './suggestions.js';

describe('expressionAt', () => {
  it.each([
    ['Hello ', undefined],
    ['Hello {{name}} ', undefined],
    ['Hello {{', { typed: '', isOpening: true, isFirst: true }],
    ['Hello {{subscriber.fi', { typed: 'subscriber.fi', isOpening: false, isFirst: true }],
    ['{{{ra', { typed: 'ra', isOpening: false, isFirst: true }],
    ['{{#if or', { typed: 'or', isOpening: false, isFirst: false }],
    ['{{#ea', { typed: 'ea', isOpening: false, isFirst: false }],
    ['{% if subscriber.fi', { typed: 'subscriber.fi', isOpening: false, isFirst: false }],
    ['{% if a %} ', undefined],
    ['{{ name | up', { typed: 'up', isOpening: false, isFirst: false }],
    ['{{a}} {{b', { typed: 'b', isOpening: false, isFirst: true }],
  ])('should read %j', (before, found) => {
    expect(expressionAt(before)).toEqual(found);
  });
});

describe('pathsOf and suggestionsOf', () => {
  const payload = { order: { id: 7, items: [{ name: 'x' }] }, 'odd name': 1 };

  it('should name what a template can read', () => {
    expect(pathsOf(payload)).toEqual([
      { path: 'order.id', sample: '7' },
      { path: 'order.items', sample: 'list of 1' },
    ]);
  });

  it('should offer each name once, and helpers', () => {
    const names = suggestionsOf(payload, ['order.id', 'customer'], { subscriber: { email: 'string' } });
    expect(names.filter(({ kind }) => kind === 'variable').map(({ name }) => name)).toEqual([
      'order.id',
      'order.items',
      'customer',
      'subscriber.email',
    ]);
    expect(names.some(({ name, kind }) => name === 'each' && kind === 'helper')).toBe(true);
    const inLiquid = suggestionsOf(payload, [], {}, 'liquid').map(({ name }) => name);
    expect(inLiquid).toEqual(expect.arrayContaining(['order.id', 'for', 'default', 't']));
    expect(inLiquid).not.toContain('each');
  });
});
