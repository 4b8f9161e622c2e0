import { hashPassword, isPassword } from './password-hash.js';

const QUICK = 4;

describe('password hashes', () => {
  it('should know the password, and no other', async () => {
    const hash = await hashPassword('lamp river oval 47', QUICK);
    expect(hash).toMatch(/^\$scrypt\$ln=4,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(await isPassword('lamp river oval 47', hash, QUICK)).toBe(true);
    expect(await isPassword('lamp river oval 48', hash, QUICK)).toBe(false);
  });

  it('should differ for equal passwords', async () => {
    expect(await hashPassword('same', QUICK)).not.toBe(await hashPassword('same', QUICK));
  });

  it('should take a letter and its parts for the same', async () => {
    expect(await isPassword('cafe\u0301', await hashPassword('caf\u00e9', QUICK), QUICK)).toBe(true);
  });

  it.each([undefined, '', 'plain', '$scrypt$ln=4,r=8,p=1$$'])('should accept nothing for the hash %p', async (hash) => {
    expect(await isPassword('', hash, QUICK)).toBe(false);
  });
});
