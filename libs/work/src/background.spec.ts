import { Background } from './background.js';

describe('Background', () => {
  const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('should wait for tasks that tasks have started', async () => {
    const background = new Background(() => undefined);
    const ended: string[] = [];
    background.start(async () => {
      await pause();
      background.start(async () => {
        await pause();
        ended.push('inner');
      });
      ended.push('outer');
    });
    await background.settle();
    expect(ended).toEqual(['outer', 'inner']);
  });

  it('should report what a task throws', async () => {
    const errors: unknown[] = [];
    const background = new Background((error) => errors.push(error));
    background.start(() => Promise.reject(new Error('no')));
    await background.settle();
    expect(errors).toEqual([new Error('no')]);
  });

  it('should wait for work of others without reporting its errors', async () => {
    const errors: unknown[] = [];
    const background = new Background((error) => errors.push(error));
    const work = background.track(pause().then(() => Promise.reject(new Error('theirs'))));
    await background.settle();
    await expect(work).rejects.toThrow('theirs');
    expect(errors).toEqual([]);
  });
});
