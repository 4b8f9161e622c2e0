import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { SealedField } from './sealed-field.js';
import { SecretBox, SecretUnreadableError } from './secret-box.js';

const place = new SealedField('integrations', 'sealedCredentials').of('1', 'a');

/** As earlier versions sealed: nothing says where the text belongs. */
function sealUnbound(plain: string, secret: string): string {
  const key = createHash('sha256').update(`herald-store-key:${secret}`).digest();
  const id = createHash('sha256').update(key).digest('hex').slice(0, 8);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return ['v1', id, ...[iv, cipher.getAuthTag(), body].map((part) => part.toString('base64url'))].join('.');
}

describe('SecretBox', () => {
  const box = new SecretBox(['first-secret']);

  it('should give back what was sealed', () => {
    expect(box.open(box.seal('grüße {"a":1}', place), place)).toBe('grüße {"a":1}');
  });

  it('should never seal the same text to the same result', () => {
    expect(box.seal('x', place)).not.toBe(box.seal('x', place));
  });

  it('should read what a former key wrote and write with the current one', () => {
    const rotated = new SecretBox(['second-secret', 'first-secret']);
    expect(rotated.open(box.seal('old', place), place)).toBe('old');
    expect(() => box.open(rotated.seal('new', place), place)).toThrow(`'${rotated.currentKeyId}'`);
  });

  it.each([
    ['collection', { ...place, collection: 'apiKeys' }],
    ['record', { ...place, id: '2' }],
    ['environment', { ...place, environmentId: 'b' }],
    ['field', { ...place, field: 'other' }],
  ])('should not open a text in another %s', (_name, elsewhere) => {
    const sealed = box.seal('secret', place);
    expect(() => box.open(sealed, elsewhere)).toThrow(SecretUnreadableError);
    expect(box.tryOpen(sealed, elsewhere)).toBeUndefined();
  });

  it('should open a text that moved between paths that are bound alike', () => {
    const current = new SealedField('hooks', 'secret');
    const former = new SealedField('hooks', 'former.secret', 'secret');
    expect(box.open(box.seal('x', current.of('1', 'a')), former.of('1', 'a'))).toBe('x');
  });

  it('should open the unbound form of earlier versions until it is told not to', () => {
    const old = sealUnbound('old', 'first-secret');
    const strict = new SecretBox(['first-secret']);
    expect(strict.open(old, place)).toBe('old');
    strict.refuseUnbound();
    expect(() => strict.open(old, place)).toThrow(SecretUnreadableError);
    expect(strict.open(strict.seal('new', place), place)).toBe('new');
  });

  it('should not open a bound text that was relabelled as an unbound one', () => {
    expect(() => box.open(box.seal('x', place).replace(/^v2/, 'v1'), place)).toThrow(SecretUnreadableError);
  });

  it('should say which key and which form a text has', () => {
    const keyId = box.currentKeyId;
    expect(SecretBox.infoOf(box.seal('x', place))).toEqual({ keyId, bound: true });
    expect(SecretBox.infoOf(sealUnbound('x', 'first-secret'))).toEqual({ keyId, bound: false });
    expect(SecretBox.infoOf('plain text')).toBeUndefined();
  });

  it.each(['', 'v2', 'v2.aaaaaaaa.x.y.z', 'v3.aaaaaaaa.x.y.z', 'plain text'])('should refuse %j', (text) => {
    expect(() => box.open(text, place)).toThrow(SecretUnreadableError);
  });

  const changedByte = (part: string): string => {
    const bytes = Buffer.from(part, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    return bytes.toString('base64url');
  };

  it.each([
    ['initialization vector', 2, changedByte],
    ['tag', 3, changedByte],
    ['ciphertext', 4, changedByte],
    ['length of the tag', 3, (tag: string) => Buffer.from(tag, 'base64url').subarray(0, 4).toString('base64url')],
  ])('should refuse a text whose %s was changed', (_name, index, change) => {
    const parts = box.seal('amount=1', place).split('.');
    const changed = parts.map((part, at) => (at === index ? change(part) : part)).join('.');
    expect(() => box.open(changed, place)).toThrow(SecretUnreadableError);
  });
});
