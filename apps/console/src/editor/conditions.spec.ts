import { groupsOf, newCondition, readValue, withSource, writtenValue } from './conditions.js';

describe('conditions', () => {
  it('should have the members of their source', () => {
    const written = { ...newCondition(), field: 'plan', value: 'pro' };
    expect(withSource(written, 'subscriber', [])).toEqual({
      on: 'subscriber',
      field: 'plan',
      operator: 'EQUAL',
      value: 'pro',
    });
    expect(withSource(written, 'isOnline', [])).toEqual({ on: 'isOnline', value: true });
    expect(withSource({ on: 'isOnline', value: true }, 'payload', [])).toMatchObject({ on: 'payload', value: '' });
    expect(withSource(written, 'previousStep', [])).toEqual({ on: 'previousStep', step: '', stepType: 'unread' });
  });

  it('should lose groups with their last condition', () => {
    expect(groupsOf([{ children: [] }, { children: [newCondition()] }])).toHaveLength(1);
  });

  it.each([
    ['5', '5', '5'],
    [5, '6', 6],
    [5, 'six', 'six'],
    [true, 'false', false],
    [['a', 'b'], 'a, c', ['a', 'c']],
    [undefined, 'x', 'x'],
  ])('should keep the type of %j when it becomes %s', (former, text, value) => {
    expect(readValue(text, former)).toEqual(value);
  });

  it('should write any value', () => {
    expect([['a', 1], 5, false, null, undefined, 'x'].map(writtenValue)).toEqual(['a, 1', '5', 'false', '', '', 'x']);
  });
});
