import { differencesOf } from './differences.js';

const step = (uuid: string, more: object = {}): object => ({ uuid, template: { type: 'sms', content: uuid }, ...more });

describe('differencesOf', () => {
  it('should find nothing where nothing differs', () => {
    expect(differencesOf({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] })).toEqual([]);
  });

  it('should name members by their path, and compare lists of plain values as a whole', () => {
    const before = { name: 'Old', tags: ['a'], preferenceSettings: { sms: false } };
    const after = { name: 'New', tags: ['a', 'b'], description: 'Text' };
    expect(differencesOf(before, after)).toEqual([
      { path: ['name'], kind: 'changed', before: 'Old', after: 'New' },
      { path: ['tags'], kind: 'changed', before: ['a'], after: ['a', 'b'] },
      { path: ['preferenceSettings'], kind: 'removed', before: { sms: false } },
      { path: ['description'], kind: 'added', after: 'Text' },
    ]);
  });

  it('should follow steps by their uuid, wherever they stand', () => {
    const before = { steps: [step('one'), step('two'), step('three')] };
    const after = { steps: [step('three'), step('one', { name: 'First' }), step('four')] };
    expect(differencesOf(before, after)).toEqual([
      { path: ['steps'], kind: 'moved', before: ['one', 'three'], after: ['three', 'one'] },
      { path: ['steps', 'one', 'name'], kind: 'added', after: 'First' },
      { path: ['steps', 'two'], kind: 'removed', before: step('two') },
      { path: ['steps', 'four'], kind: 'added', after: step('four') },
    ]);
  });

  it('should compare a value with one of another kind', () => {
    expect(differencesOf({ content: 'text' }, { content: [{ type: 'text' }] })).toEqual([
      { path: ['content'], kind: 'changed', before: 'text', after: [{ type: 'text' }] },
    ]);
  });
});
