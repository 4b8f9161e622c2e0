import type { KeyRights } from '#libs/common';
import { excessOf, isExpired, rightsOf } from './key-rights.js';

const soon = new Date('2030-01-01T00:00:00Z');
const later = new Date('2031-01-01T00:00:00Z');
const ALL: KeyRights = { scopes: ['trigger', 'read', 'write', 'admin'] };

describe('rightsOf', () => {
  it('should give all scopes to a key that was stored without', () => {
    expect(rightsOf({})).toEqual(ALL);
    expect(rightsOf({ scopes: ['read'], expiresAt: soon })).toEqual({ scopes: ['read'], expiresAt: soon });
  });

  it('should give none to a key with an empty list', () => {
    expect(rightsOf({ scopes: [] })).toEqual({ scopes: [] });
  });
});

describe('isExpired', () => {
  it('should begin at the moment of expiry', () => {
    expect([isExpired({ expiresAt: soon }, soon), isExpired({ expiresAt: later }, soon), isExpired({}, soon)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('excessOf', () => {
  it.each<[KeyRights, KeyRights]>([
    [ALL, ALL],
    [{ ...ALL, expiresAt: later }, ALL],
    [
      { scopes: ['read'], expiresAt: soon },
      { scopes: ['admin', 'read'], expiresAt: soon },
    ],
    [
      { scopes: [], expiresAt: soon },
      { scopes: ['admin'], expiresAt: later },
    ],
  ])('should find nothing in %j of %j', (rights, giver) => {
    expect(excessOf(rights, giver)).toBeUndefined();
  });

  it.each<[KeyRights, KeyRights, string]>([
    [ALL, { scopes: ['admin', 'write'] }, 'lacks the scope trigger, read'],
    [{ scopes: ['read'] }, { scopes: ['read'], expiresAt: soon }, 'until 2030-01-01T00:00:00.000Z only'],
    [{ scopes: ['read'], expiresAt: later }, { scopes: ['read'], expiresAt: soon }, 'until 2030'],
  ])('should find what %j has more than %j', (rights, giver, text) => {
    expect(excessOf(rights, giver)).toContain(text);
  });
});
