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

  it('should repeat the attempt a few times when writes conflict', async () => {
    const conflict = Object.assign(new Error('WriteConflict'), { name: 'MongoServerError', code: 112 });
    let attempts = 0;
    const attempt = (conflicts: number) => () =>
      ++attempts <= conflicts ? Promise.reject<string>(conflict) : Promise.resolve('written');
    await expect(untilWritten(attempt(3), tooMany)).resolves.toBe('written');
    attempts = 0;
    await expect(untilWritten(attempt(100), tooMany)).rejects.toBe(conflict);
    expect(attempts).toBe(6);
  });
});
