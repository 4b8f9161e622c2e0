import { defineProvider } from './define-provider.js';

describe('defineProvider', () => {
  it('should keep the limit of a provider that sends on its own', () => {
    const spec = { id: 'mine', channel: 'sms', displayName: 'Mine', send: () => Promise.resolve({}) } as const;
    expect(defineProvider({ ...spec, maxConcurrent: 3 }).create().maxConcurrent).toBe(3);
    expect(defineProvider(spec).create()).not.toHaveProperty('maxConcurrent');
  });
});
