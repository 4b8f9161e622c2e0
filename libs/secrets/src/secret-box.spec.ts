import { SecretBox, SecretUnreadableError } from './secret-box.js';

describe('SecretBox', () => {
  const box = new SecretBox(['first-secret']);

  it('should give back what was sealed', () => {
    expect(box.open(box.seal('grüße {"a":1}'))).toBe('grüße {"a":1}');
  });

  it('should never seal the same text to the same result', () => {
    expect(box.seal('x')).not.toBe(box.seal('x'));
  });

  it('should read what a former key wrote and write with the current one', () => {
    const rotated = new SecretBox(['second-secret', 'first-secret']);
    expect(rotated.open(box.seal('old'))).toBe('old');
    expect(() => box.open(rotated.seal('new'))).toThrow(SecretUnreadableError);
  });

  it.each(['', 'v1', 'v1.aaaaaaaa.x.y.z', 'plain text'])('should refuse %j', (text) => {
    expect(() => box.open(text)).toThrow(SecretUnreadableError);
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
    const parts = box.seal('amount=1').split('.');
    const changed = parts.map((part, at) => (at === index ? change(part) : part)).join('.');
    expect(() => box.open(changed)).toThrow(SecretUnreadableError);
  });
});
