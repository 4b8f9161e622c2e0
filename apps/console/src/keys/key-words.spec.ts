import { expiryOf, expiryWord, scopesOf } from './key-words.js';

const NOW = Date.parse('2026-01-01T00:00:00.000Z');

describe('words of API keys', () => {
  it('say whether a key still works', () => {
    expect(expiryWord({}, NOW).label).toBe('Does not expire');
    expect(expiryWord({ expiresAt: '2025-12-31T23:59:59.000Z' }, NOW)).toEqual({ tone: 'bad', label: 'Expired' });
    expect(expiryWord({ expiresAt: '2026-01-03T00:00:00.000Z' }, NOW).tone).toBe('warn');
    expect(expiryWord({ expiresAt: '2026-03-03T00:00:00.000Z' }, NOW).tone).toBe('good');
  });

  it('compute the expiry of a new key', () => {
    expect(expiryOf('30', NOW)).toBe('2026-01-31T00:00:00.000Z');
    expect(expiryOf('', NOW)).toBeUndefined();
    expect(expiryOf('x', NOW)).toBeUndefined();
  });

  it('read the scopes of a form', () => {
    const form = new FormData();
    for (const scope of ['trigger', 'read', 'other']) form.append('scopes', scope);
    expect(scopesOf(form)).toEqual(['read', 'trigger']);
  });
});
