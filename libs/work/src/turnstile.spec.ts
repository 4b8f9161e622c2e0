import { LineTooSlow, Turnstile } from './turnstile.js';

const TWO = { most: 2, hold: 3 };

describe('Turnstile', () => {
  const recording = (
    now?: () => number,
  ): { begun: string[]; ends: (() => void)[]; enter: (name: string, key?: string) => Promise<string> } => {
    const turnstile = new Turnstile(now);
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const enter = (name: string, key = 'a'): Promise<string> =>
      turnstile.through(key, TWO, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
        return name;
      });
    return { begun, ends, enter };
  };
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  it('should let only so many through at once, in order, and each key for itself', async () => {
    const { begun, ends, enter } = recording();
    const all = [enter('1'), enter('2'), enter('3'), enter('other', 'b')];
    await turn();
    expect(begun).toEqual(['1', '2', 'other']);
    ends[0]?.();
    await all[0];
    await turn();
    expect(begun).toEqual(['1', '2', 'other', '3']);
    for (const end of ends) end();
    expect(await Promise.all(all)).toEqual(['1', '2', '3', 'other']);
  });

  it('should let the next one in after a failure', async () => {
    const turnstile = new Turnstile();
    const one = { most: 1, hold: 1 };
    await expect(turnstile.through('a', one, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(turnstile.through('a', one, () => Promise.resolve('in'))).resolves.toBe('in');
  });

  it('should follow a limit that changes: nobody enters above it, and whoever waits fills it', async () => {
    const turnstile = new Turnstile();
    const limits = { most: 3, hold: 100 };
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const all = ['1', '2', '3', '4', '5', '6', '7', '8'].map((name) =>
      turnstile.through('a', limits, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    const end = async (): Promise<number> => {
      ends.shift()?.();
      await turn();
      return begun.length;
    };
    await turn();
    limits.most = 1;
    expect([await end(), await end(), await end(), await end()]).toEqual([3, 3, 4, 5]);
    limits.most = 3;
    expect(await end()).toBe(8);
    for (const one of ends.splice(0)) one();
    await Promise.all(all);
    expect(begun).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
  });

  it('should let those who wait enter before a new caller where the limit has grown', async () => {
    const turnstile = new Turnstile();
    const limits = { most: 1, hold: 100 };
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const enter = (name: string): Promise<void> =>
      turnstile.through('a', limits, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => ends.push(resolve));
      });
    const all = [enter('1'), enter('2'), enter('3')];
    limits.most = 2;
    all.push(enter('new'));
    await turn();
    expect(begun).toEqual(['1', '2']);
    for (let left = all.length; left > 0; left -= 1) {
      ends.shift()?.();
      await turn();
    }
    await Promise.all(all);
    expect(begun).toEqual(['1', '2', '3', 'new']);
  });

  describe('when those inside take long', () => {
    it('should send away whom it cannot use, each for longer, and keep the line that it needs', async () => {
      let now = 0;
      const { begun, ends, enter } = recording(() => now);
      const inside = [enter('1'), enter('2')];
      const waiting = enter('3');
      now = 4_000;
      const away = await Promise.allSettled([enter('4'), enter('5')]);
      expect(away).toEqual([
        { status: 'rejected', reason: new LineTooSlow(4_000) },
        { status: 'rejected', reason: new LineTooSlow(6_000) },
      ]);
      expect(away.map((one) => one.status === 'rejected' && (one.reason as LineTooSlow).retryAfterMs)).toEqual([
        4_000, 6_000,
      ]);
      for (const end of ends.splice(0)) end();
      await Promise.all(inside);
      await turn();
      expect(begun).toEqual(['1', '2', '3']);
      for (const end of ends) end();
      await waiting;
    });

    it('should send nobody away for longer than half a minute', async () => {
      let now = 0;
      const { ends, enter } = recording(() => now);
      const inside = [enter('1'), enter('2'), enter('3')];
      now = 600_000;
      await expect(enter('4')).rejects.toMatchObject({ retryAfterMs: 30_000 });
      await expect(enter('5')).rejects.toMatchObject({ retryAfterMs: 30_000 });
      for (const end of ends.splice(0)) end();
      await turn();
      for (const end of ends) end();
      await Promise.all(inside);
    });

    it('should send away whoever came before that was known', async () => {
      let now = 0;
      const { ends, enter } = recording(() => now);
      const all = [enter('1'), enter('2'), enter('3'), enter('4')];
      now = 4_000;
      await expect(all[3]).rejects.toBeInstanceOf(LineTooSlow);
      for (const end of ends.splice(0)) end();
      await turn();
      for (const end of ends) end();
      expect(await Promise.all(all.slice(0, 3))).toEqual(['1', '2', '3']);
    });
  });

  it('should keep a long line where it moves quickly', async () => {
    let now = 0;
    const { ends, enter } = recording(() => now);
    const all = ['1', '2', '3', '4', '5', '6'].map((name) => enter(name));
    for (let done = 0; done < 6; done += 1) {
      await turn();
      now += 10;
      ends[done]?.();
    }
    expect(await Promise.all(all)).toEqual(['1', '2', '3', '4', '5', '6']);
  });
});
