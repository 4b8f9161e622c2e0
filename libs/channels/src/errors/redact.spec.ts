import { redact, secretValues } from './redact.js';

const CREDENTIALS = { user: 'ann', password: 'pa55"wörd/@tail', apiKey: 'key-4711', host: 'mail.example' };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('redact', () => {
  const secrets = secretValues(CREDENTIALS);

  it.each([
    ['as it is', CREDENTIALS.password],
    ['in a URL', encodeURIComponent(CREDENTIALS.password)],
    ['in JSON', JSON.stringify(CREDENTIALS.password).slice(1, -1)],
    ['in base64', base64(CREDENTIALS.password).replace(/=+$/, '')],
    ['in the header of Basic authentication', base64(`ann:${CREDENTIALS.password}`)],
    ['in the header of Basic authentication without a user', base64(`:${CREDENTIALS.apiKey}`)],
    ['in the answer to AUTH PLAIN', base64(`\0ann\0${CREDENTIALS.password}`)],
  ])('should mask a secret %s', (_case, written) => {
    expect(redact(`535 refused: ${written}`, secrets)).toMatch(/^535 refused: \*\*\*=*$/);
    expect(JSON.stringify(redact({ a: [{ b: `x ${written}` }] }, secrets))).not.toContain(written);
  });

  it('should leave the rest', () => {
    expect(redact('mail.example said no to ann', secrets)).toBe('mail.example said no to ann');
  });
});
