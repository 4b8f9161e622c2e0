import { claimAt, profileOf } from './oidc-claims.js';

const ADA = { issuer: 'https://login.example', subject: 'ada' };

describe('claimAt', () => {
  it('should take a name with dots before a path', () => {
    const claims = { 'https://example.com/groups': ['a'], realm: { herald: { roles: ['b'] } }, 'realm.herald': 'c' };
    expect(claimAt(claims, 'https://example.com/groups')).toEqual(['a']);
    expect(claimAt(claims, 'realm.herald.roles')).toEqual(['b']);
    expect(claimAt(claims, 'realm.herald')).toBe('c');
    for (const path of ['realm.none.roles', 'realm.herald.roles.x', '__proto__', 'constructor.name'])
      expect(claimAt(claims, path)).toBeUndefined();
  });
});

describe('profileOf', () => {
  it('should leave out what is not said', () => {
    expect(profileOf(ADA, {}, {}, 'groups')).toEqual(ADA);
    expect(profileOf(ADA, { email: ' ', name: 7, groups: null }, {}, 'groups')).toEqual(ADA);
  });

  it('should prefer the token, and take the address with the word about it', () => {
    const token = { name: 'Ada', email: 'Ada@Example.com', groups: 'one' };
    const info = { name: 'Eve', email: 'eve@example.com', email_verified: true, groups: ['two', 3] };
    expect(profileOf(ADA, token, info, 'groups')).toEqual({
      ...ADA,
      name: 'Ada',
      email: 'ada@example.com',
      values: ['one'],
    });
    expect(profileOf(ADA, {}, info, 'groups')).toEqual({
      ...ADA,
      name: 'Eve',
      email: 'eve@example.com',
      isEmailVerified: true,
      values: ['two'],
    });
  });
});
