import { createHmac } from 'node:crypto';
import { verifyWebhook } from './webhooks.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX';
const BODY = '{"id":"1","type":"message.sent","note":"ünï"}';
const AT = 1_767_268_800;
const now = AT * 1_000;

function signed(secret: string, body = BODY, at = AT): string {
  const key = Buffer.from(secret.slice(6), 'base64');
  return `v1,${createHmac('sha256', key).update(`evt.${at}.${body}`).digest('base64')}`;
}
const headersOf = (signature: string, at = AT): Record<string, string> => ({
  'webhook-id': 'evt',
  'webhook-timestamp': String(at),
  'webhook-signature': signature,
});

describe('verifyWebhook', () => {
  it.each([
    ['a record of headers', headersOf(signed(SECRET))],
    ['headers in another case', { ...headersOf(''), 'Webhook-Signature': signed(SECRET) }],
    ['Headers', new Headers(headersOf(signed(SECRET)))],
    ['lists of values', { ...headersOf(''), 'webhook-signature': [signed(SECRET)] }],
  ])('should accept %s', async (_what, headers) => {
    const entries = headers instanceof Headers ? headers : withoutEmpty(headers);
    expect(await verifyWebhook(entries, BODY, SECRET, { now })).toMatchObject({ type: 'message.sent', note: 'ünï' });
  });

  it('should accept bytes', async () => {
    const bytes = new TextEncoder().encode(BODY);
    expect(await verifyWebhook(headersOf(signed(SECRET)), bytes, SECRET, { now })).toMatchObject({ id: '1' });
  });

  it('should accept any of several signatures and secrets, as during a rotation', async () => {
    const both = headersOf(`${signed(OTHER)} ${signed(SECRET)}`);
    expect(await verifyWebhook(both, BODY, SECRET, { now })).toMatchObject({ id: '1' });
    expect(await verifyWebhook(headersOf(signed(SECRET)), BODY, [OTHER, SECRET], { now })).toMatchObject({ id: '1' });
  });

  it.each([
    ['another body', headersOf(signed(SECRET)), `${BODY} `, 'signature_mismatch'],
    ['another secret', headersOf(signed(OTHER)), BODY, 'signature_mismatch'],
    ['another id', { ...headersOf(signed(SECRET)), 'webhook-id': 'other' }, BODY, 'signature_mismatch'],
    ['another time', headersOf(signed(SECRET), AT + 1), BODY, 'signature_mismatch'],
    ['another version', headersOf(signed(SECRET).replace('v1', 'v2')), BODY, 'signature_mismatch'],
    ['no base64', headersOf('v1,***'), BODY, 'signature_mismatch'],
    ['an old request', headersOf(signed(SECRET, BODY, AT - 301), AT - 301), BODY, 'timestamp_out_of_range'],
    ['a request of the future', headersOf(signed(SECRET, BODY, AT + 301), AT + 301), BODY, 'timestamp_out_of_range'],
    [
      'a time that is no number',
      { ...headersOf(signed(SECRET)), 'webhook-timestamp': '1e9' },
      BODY,
      'timestamp_out_of_range',
    ],
    ['a missing header', { 'webhook-id': 'evt' }, BODY, 'headers_missing'],
  ])('should refuse %s', async (_what, headers, body, code) => {
    await expect(verifyWebhook(headers, body, SECRET, { now })).rejects.toMatchObject({ code });
  });

  it('should refuse a secret that is none', async () => {
    await expect(verifyWebhook(headersOf(signed(SECRET)), BODY, 'whsec_', { now })).rejects.toMatchObject({
      code: 'secret_invalid',
    });
  });

  it('should take another tolerance', async () => {
    const old = headersOf(signed(SECRET, BODY, AT - 900), AT - 900);
    expect(await verifyWebhook(old, BODY, SECRET, { now, toleranceSeconds: 1_000 })).toMatchObject({ id: '1' });
  });
});

function withoutEmpty(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}
