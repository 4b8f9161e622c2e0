import { differsFrom, legacyState, oppositeOf, STATE_OF } from './marks.js';

describe('STATE_OF', () => {
  it.each([
    ['read', { seen: true, read: true }],
    ['unread', { seen: true, read: false }],
    ['seen', { seen: true }],
    ['unseen', { seen: false }],
  ] as const)('should say what %s means', (mark, state) => {
    expect(STATE_OF[mark]).toEqual(state);
  });
});

describe('oppositeOf', () => {
  it.each([
    ['read', { read: false }],
    ['unread', { read: true }],
    ['seen', { seen: false }],
    ['unseen', { seen: true }],
  ] as const)('should say which messages %s is about', (mark, state) => {
    expect(oppositeOf(mark)).toEqual(state);
  });
});

describe('legacyState', () => {
  it.each([
    [{ seen: true }, { seen: true }],
    [{ read: true }, { seen: true, read: true }],
    [{ read: false }, { read: false }],
    [
      { seen: false, read: true },
      { seen: false, read: true },
    ],
    [{ seen: null, read: null }, {}],
    [{}, {}],
  ])('should turn %j into %j', (mark, state) => {
    expect(legacyState(mark)).toEqual(state);
  });
});

describe('differsFrom', () => {
  it('should match what differs in any asked part', () => {
    expect(differsFrom({ seen: true, read: false })).toEqual({ $or: [{ seen: false }, { read: true }] });
  });

  it('should be nothing where nothing is asked', () => {
    expect(differsFrom({})).toBeUndefined();
  });
});
