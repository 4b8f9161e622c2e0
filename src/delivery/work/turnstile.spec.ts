import { Turnstile } from './turnstile.js';

describe('Turnstile', () => {
  it('should let only so many through at once, in order, and each key for itself', async () => {
    const turnstile = new Turnstile();
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const enter = (name: string, key = 'a'): Promise<string> =>
      turnstile.through(key, 2, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });
    const all = [enter('1'), enter('2'), enter('3'), enter('other', 'b')];
    await Promise.resolve();
    expect(begun).toEqual(['1', '2', 'other']);
    ends[0]?.();
    await all[0];
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['1', '2', 'other', '3']);
    for (const end of ends) end();
    expect(await Promise.all(all)).toEqual(['1', '2', '3', 'other']);
  });

  it('should let the next one in after a failure', async () => {
    const turnstile = new Turnstile();
    await expect(turnstile.through('a', 1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turnstile.through('a', 1, () => Promise.resolve('in'))).resolves.toBe('in');
  });
});
