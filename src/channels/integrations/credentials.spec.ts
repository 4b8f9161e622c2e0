import { credentialFaults, MAX_CREDENTIAL_LENGTH, readCredentials } from './credentials.js';

describe('credentialFaults', () => {
  it.each([
    ['nothing', {}],
    ['text, switches and TLS options', { apiKey: 'k', secure: true, tlsOptions: { rejectUnauthorized: false } }],
    ['switches as text', { secure: 'true', requireTls: 'false', ignoreTls: 'false' }],
    ['null', { apiKey: null, hmac: null, tlsOptions: null }],
    ['keys that are not known', { colour: 5 }],
  ])('should accept %s', (_case, value) => {
    expect(credentialFaults(value, 'credentials')).toEqual([]);
  });

  it('should list every fault with its path', () => {
    const value = { apiKey: 5, port: 587, secure: 'yes', hmac: 'true', tlsOptions: [], user: { $gt: '' } };
    expect(credentialFaults(value, 'credentials')).toEqual([
      'credentials.apiKey must be a string',
      'credentials.port must be a string',
      'credentials.secure must be a boolean value',
      'credentials.hmac must be a boolean value',
      'credentials.tlsOptions must be an object',
      'credentials.user must be a string',
    ]);
  });

  it.each([['text'], [5], [null], [[]], [true]])('should refuse %p in place of an object', (value) => {
    expect(credentialFaults(value, 'credentials')).toEqual(['credentials must be an object']);
  });

  it('should refuse operators in TLS options', () => {
    expect(credentialFaults({ tlsOptions: { a: { $gt: 1 } } }, 'credentials')).toEqual([
      'credentials.tlsOptions.a.$gt is not allowed: keys must not begin with $',
    ]);
  });

  it('should refuse what Novu has encrypted, at any depth, without repeating it', () => {
    const value = { apiKey: 'nvsk.00', from: 'a@example.com', tlsOptions: { keys: ['nvsk.11'] } };
    const faults = credentialFaults(value, 'credentials');
    expect(faults).toEqual([
      expect.stringMatching(/^credentials\.apiKey is encrypted by Novu .*send the value itself/) as string,
      expect.stringMatching(/^credentials\.tlsOptions\.keys\.0 is encrypted by Novu/) as string,
    ]);
    expect(faults.join()).not.toMatch(/nvsk\.\d/);
  });

  it('should refuse values beyond the limit without repeating them', () => {
    expect(credentialFaults({ apiKey: 'x'.repeat(MAX_CREDENTIAL_LENGTH + 1) }, 'credentials')).toEqual([
      `credentials.apiKey must be shorter than or equal to ${MAX_CREDENTIAL_LENGTH} characters`,
    ]);
  });
});

describe('readCredentials', () => {
  it('should keep types, turn switches into booleans and drop the rest', () => {
    expect(
      readCredentials({ port: '587', secure: 'false', hmac: true, tlsOptions: { a: 1 }, apiKey: null, colour: 'red' }),
    ).toEqual({ port: '587', secure: false, hmac: true, tlsOptions: { a: 1 } });
  });
});
