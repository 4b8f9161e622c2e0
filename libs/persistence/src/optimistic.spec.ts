import { untilWritten } from './optimistic.js';

const tooMany = (): Error => new Error('too many');

describe('untilWritten', () => {
  it('should repeat the attempt until it returns something', async () => {
    let attempts = 0;
    const third = (): Promise<string | undefined> => Promise.resolve(++attempts === 3 ? 'written' : undefined);
    await expect(untilWritten(third, tooMany)).resolves.toBe('written');
    expect(attempts).toBe(3);
  });

  it('should give up with the error of the caller', async () => {
    await expect(untilWritten(() => Promise.resolve(undefined), tooMany)).rejects.toThrow('too many');
  });
});
