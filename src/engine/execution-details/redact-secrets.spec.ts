import { redactSecrets, toRawText } from './redact-secrets.js';

describe('redactSecrets', () => {
  it.each([
    'password',
    'smtpPassword',
    'apiKey',
    'api_key',
    'X-API-Key',
    'secretKey',
    'accessToken',
    'deviceTokens',
    'Authorization',
    'credentials',
    'set-cookie',
    'serviceAccount',
    'webhookUrl',
    'privateKey',
  ])('should mask what is kept under %s', (key) => {
    expect(redactSecrets({ outer: [{ [key]: 'hunter2hunter2' }] })).toEqual({ outer: [{ [key]: '***' }] });
  });

  it.each([
    ['Authorization: Bearer abc.def.ghi', 'Authorization: Bearer ***'],
    ['smtp://user:pa55@mail.example.com:25 refused', 'smtp://***@mail.example.com:25 refused'],
    ['smtp://user:pa55@tail@mail.example.com:25 refused', 'smtp://***@mail.example.com:25 refused'],
    ['redis://:pa55@mail.example.com:25 refused', 'redis://***@mail.example.com:25 refused'],
    ['GET /send?to=1&api_key=abcdef failed', 'GET /send?to=1&api_key=*** failed'],
    ['https://hooks.slack.com/services/T0/B0/xyz said no', 'https://hooks.slack.com/*** said no'],
    ['https://discord.com/api/webhooks/1/abc said no', 'https://discord.com/api/webhooks/*** said no'],
  ])('should mask the secret in %s', (text, expected) => {
    expect(redactSecrets({ message: text })).toEqual({ message: expected });
  });

  it('should leave everything else as it is', () => {
    const value = { a: 1, b: true, c: null, hmac: true, text: 'the token is yours', list: [{ name: 'x' }] };
    expect(redactSecrets(value)).toEqual(value);
  });

  it('should show of an error its name and message only', () => {
    expect(redactSecrets(new TypeError('no'))).toEqual({ name: 'TypeError', message: 'no' });
  });

  it('should end with values that contain themselves', () => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    expect(JSON.stringify(redactSecrets(value))).toContain('…');
  });
});

describe('toRawText', () => {
  it('should be JSON, also where the value is undefined', () => {
    expect(JSON.parse(toRawText({ when: new Date(0) }))).toEqual({ when: '1970-01-01T00:00:00.000Z' });
    expect(JSON.parse(toRawText(undefined))).toBeNull();
  });

  it('should stay JSON where the value is too large to be kept', () => {
    const kept = JSON.parse(toRawText(Array.from({ length: 100 }, () => 'x'.repeat(1_000)))) as Record<string, unknown>;
    expect(kept).toMatchObject({ truncated: true, beginning: expect.stringMatching(/^\["xxx/) as unknown });
    expect(JSON.stringify(kept).length).toBeLessThan(20_000);
  });

  it('should cut a long text, and leave no half of a secret at its end', () => {
    const secret = 'https://name:a-very-secret-password@example.com';
    for (let place = 3_900; place <= 4_600; place += 10) {
      const text = `${'x '.repeat(place / 2)}${secret}${' y'.repeat(5_000)}`;
      const kept = JSON.parse(toRawText(text)) as string;
      expect(kept.length).toBeLessThanOrEqual(4_001);
      expect(kept).not.toContain('a-very');
    }
  });

  it('should look at no more of a value than it can keep', () => {
    let looks = 0;
    const events = Array.from({ length: 100_000 }, () => ({
      get text() {
        looks += 1;
        return 'a.'.repeat(2_000);
      },
    }));
    expect(toRawText(events).length).toBeLessThan(20_000);
    expect(looks).toBeLessThan(50);
  });
});
