import { jest } from '@jest/globals';
import { Redis } from 'ioredis';
import { describeWithRedis, RedisServer } from '../test/redis-server.js';
import { RedisWakeUps } from './redis-wake-ups.js';

async function eventually(
  condition: () => boolean | Promise<boolean>,
  again: () => void = () => undefined,
): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('The condition was not met in time.');
    again();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describeWithRedis()('RedisWakeUps', () => {
  const redis = new RedisServer();
  const opened: RedisWakeUps[] = [];
  const open = (): RedisWakeUps => {
    const wakeUps = new RedisWakeUps(redis.url);
    opened.push(wakeUps);
    return wakeUps;
  };

  beforeEach(() => redis.start());
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
    await redis.stop();
  });
  afterAll(() => redis.remove());

  it('should wake a worker of another process', async () => {
    const [accepting, working] = [open(), open()];
    const listener = jest.fn();
    working.listen(listener);
    await eventually(
      () => listener.mock.calls.length > 0,
      () => accepting.notify(),
    );
  });

  it('should wake the workers of every process', async () => {
    const [accepting, ...working] = [open(), open(), open()];
    const listeners = working.map((one) => {
      const listener = jest.fn();
      one.listen(listener);
      return listener;
    });
    await eventually(
      () => listeners.every(({ mock }) => mock.calls.length > 0),
      () => accepting?.notify(),
    );
  });

  it('should not wake its own workers a second time by what it published', async () => {
    const [here, there] = [open(), open()];
    const [own, other] = [jest.fn(), jest.fn()];
    here.listen(own);
    there.listen(other);
    let calls = 0;
    await eventually(
      () => other.mock.calls.length > 0,
      () => {
        calls += 1;
        here.notify();
      },
    );
    expect(own).toHaveBeenCalledTimes(calls);
  });

  it('should close both connections', async () => {
    const probe = new Redis(redis.url);
    const connections = async (): Promise<number> =>
      String(await probe.client('LIST'))
        .trim()
        .split('\n').length;
    const wakeUps = open();
    wakeUps.listen(() => undefined);
    await eventually(async () => (await connections()) === 3);
    await wakeUps.close();
    await eventually(async () => (await connections()) === 1);
    await probe.quit();
  });

  it('should wake its own process without Redis, and others again once Redis is back', async () => {
    const [here, there] = [open(), open()];
    await redis.stop();
    const [own, other] = [jest.fn(), jest.fn()];
    here.listen(own);
    there.listen(other);
    here.notify();
    expect(own).toHaveBeenCalledTimes(1);
    await redis.start();
    await eventually(
      () => other.mock.calls.length > 0,
      () => here.notify(),
    );
  });
});
