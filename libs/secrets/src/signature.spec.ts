import { newSigningSecret, signatureOf, signedHeaders } from './signature.js';

const SIGNED = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
};

describe('newSigningSecret', () => {
  it('should be 24 bytes in base64, another one each time', () => {
    expect(newSigningSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(newSigningSecret()).not.toBe(newSigningSecret());
  });
});

describe('signatureOf', () => {
  it('should be what the Standard Webhooks scheme gives for its published example', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(signatureOf(SIGNED, secret)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it.each([{ id: 'other' }, { timestamp: 1 }, { body: '{}' }])('should change with %j', (change) => {
    const secret = newSigningSecret();
    expect(signatureOf({ ...SIGNED, ...change }, secret)).not.toBe(signatureOf(SIGNED, secret));
  });
});

describe('signedHeaders', () => {
  it('should have a signature for each secret', () => {
    const secrets = [newSigningSecret(), newSigningSecret()] as const;
    expect(signedHeaders(SIGNED, secrets)).toEqual({
      'webhook-id': SIGNED.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': `${signatureOf(SIGNED, secrets[0])} ${signatureOf(SIGNED, secrets[1])}`,
    });
  });
});
