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

  it('should refuse a text that was changed', () => {
    const sealed = box.seal('amount=1');
    const last = sealed.at(-1) === 'A' ? 'B' : 'A';
    expect(() => box.open(sealed.slice(0, -1) + last)).toThrow(SecretUnreadableError);
  });
});
