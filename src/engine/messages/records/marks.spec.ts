import { differsFrom, enterState, INBOX_STATE, legacyState, oppositeOf, STATE_OF, WOKEN } from './marks.js';

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

  it('should match what differs in archive and snooze', () => {
    expect(differsFrom({ archived: false, snoozedUntil: null })).toEqual({
      $or: [{ archived: true }, { snoozedUntil: { $ne: null } }],
    });
  });

  it('should be nothing where nothing is asked', () => {
    expect(differsFrom({})).toBeUndefined();
  });
});

describe('INBOX_STATE', () => {
  it('should bring an unread message back from the archive, and read an archived one', () => {
    expect(INBOX_STATE.unread).toEqual({ seen: true, read: false, archived: false });
    expect(INBOX_STATE.archive).toEqual({ seen: true, read: true, archived: true });
  });
});

describe('enterState', () => {
  const now = new Date();
  const WORK_FIELDS = ['wakeAt', 'lease', 'takenUp'];

  it('should make a snoozed message due at its time, and end the claim of an earlier snooze', () => {
    const until = new Date(now.getTime() + 1_000);
    expect(enterState({ snoozedUntil: until }, now)).toEqual([
      { $set: { updatedAt: now } },
      { $set: { snoozedUntil: until, wakeAt: until } },
      { $unset: ['lease', 'takenUp'] },
    ]);
  });

  it('should leave nothing due after a snooze', () => {
    expect(enterState(WOKEN, now).at(-1)).toEqual({ $unset: ['snoozedUntil', ...WORK_FIELDS] });
  });
});
