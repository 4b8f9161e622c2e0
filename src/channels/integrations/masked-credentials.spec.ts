import { CREDENTIAL_KEYS, SECRET_CREDENTIAL_KEYS } from '#libs/channels';
import { maskCredentials, unmaskCredentials } from './masked-credentials.js';

const MASKED = '********';

describe('maskCredentials', () => {
  it('should hide every key that is known to hold a secret', () => {
    const texts = SECRET_CREDENTIAL_KEYS.filter((key) => CREDENTIAL_KEYS.strings.some((text) => text === key));
    const all = Object.fromEntries(CREDENTIAL_KEYS.strings.map((key) => [key, `value-of-${key}`]));
    const shown = maskCredentials(all);
    expect(maskCredentials({ headers: { 'x-key': 'secret' } })).toEqual({ headers: { 'x-key': MASKED } });
    const hidden = Object.keys(shown).filter((key) => shown[key] === MASKED);
    expect(hidden).toEqual(expect.arrayContaining([...texts, 'user', 'webhookUrl']));
    expect(Object.keys(shown)).toEqual(Object.keys(all));
  });

  it('should hide a key that nobody has decided about', () => {
    expect(maskCredentials({ newKey: 'x', another: { deep: ['x', 1, true, ''] } })).toEqual({
      newKey: MASKED,
      another: { deep: [MASKED, 1, true, ''] },
    });
  });

  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    ['https://user:password@api.example.com', MASKED],
    ['https://api.example.com/?token=secret', MASKED],
  ])('should show the base URL %s as %s', (baseUrl, shown) => {
    expect(maskCredentials({ baseUrl })).toEqual({ baseUrl: shown });
  });
});

describe('unmaskCredentials', () => {
  const stored = { host: 'a', password: 'secret', tlsOptions: { ca: ['one', 'two'], servername: 'a' } };

  it('should give back what was masked', () => {
    expect(unmaskCredentials(maskCredentials(stored), stored)).toEqual({ credentials: stored, faults: [] });
  });

  it('should take what is in clear as it is', () => {
    const sent = { host: 'b', password: 'other' };
    expect(unmaskCredentials(sent, stored)).toEqual({ credentials: sent, faults: [] });
  });

  it('should not find a mask in what objects inherit', () => {
    expect(unmaskCredentials({ constructor: MASKED, toString: MASKED }, stored).faults).toEqual([
      'credentials.constructor is masked: send the value itself',
      'credentials.toString is masked: send the value itself',
    ]);
  });

  it.each([
    [{ ...maskCredentials(stored), host: 'b' }, 'credentials.host cannot change'],
    [{ host: 'a', password: MASKED }, 'credentials.tlsOptions cannot change'],
    [{ ...maskCredentials(stored), tlsOptions: { ca: [MASKED], servername: MASKED } }, 'credentials.tlsOptions cannot'],
    [{ ...maskCredentials(stored), secure: false }, 'credentials.secure cannot change'],
    [{ ...stored, password: MASKED, webhookUrl: 'https://b' }, 'credentials.webhookUrl cannot change'],
    [{ host: MASKED + '*', password: MASKED, tlsOptions: stored.tlsOptions }, 'credentials.host cannot change'],
  ])('should refuse %j', (sent, fault) => {
    expect(unmaskCredentials(sent, stored).faults).toEqual([expect.stringContaining(fault)]);
  });
});
