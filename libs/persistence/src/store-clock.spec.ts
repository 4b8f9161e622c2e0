import { StoreClock } from './store-clock.js';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2030, 0, 1);

describe('StoreClock', () => {
  let storeMs: number;
  let machineMs: number;
  let answers: number;
  let clock: StoreClock;
  beforeEach(() => {
    storeMs = START_MS;
    machineMs = START_MS;
    answers = 0;
    clock = new StoreClock({
      ask: () => {
        answers += 1;
        return Promise.resolve(new Date(storeMs));
      },
      machineMs: () => machineMs,
    });
  });

  const differenceMs = (): number => Math.abs(clock.now().getTime() - storeMs);

  it.each([HOUR_MS, -HOUR_MS])("should follow the store's clock where the machine's is off by %i ms", async (offMs) => {
    machineMs += offMs;
    await clock.measure();
    expect(differenceMs()).toBeLessThan(500);
    machineMs += 10_000;
    storeMs += 10_000;
    expect(differenceMs()).toBeLessThan(500);
  });

  it("should be the machine's clock while both agree, without asking again", async () => {
    await clock.measure();
    machineMs += 400;
    await clock.compare(new Date(storeMs));
    expect(clock.now().getTime()).toBe(machineMs);
    expect(answers).toBe(1);
  });

  it('should follow when the clock of the machine is set', async () => {
    await clock.measure();
    machineMs -= HOUR_MS;
    await clock.compare(new Date(storeMs));
    expect(differenceMs()).toBeLessThan(500);
    machineMs += HOUR_MS;
    await clock.compare(new Date(storeMs));
    expect(clock.now().getTime()).toBe(machineMs);
  });

  it('should measure before it believes a time that may be old', async () => {
    await clock.compare(new Date(storeMs - 5_000));
    expect(answers).toBe(1);
    expect(clock.now().getTime()).toBe(machineMs);
  });

  it('should keep the difference while the store cannot be asked', async () => {
    machineMs += HOUR_MS;
    await clock.measure();
    const silent = new StoreClock({ ask: () => Promise.reject(new Error('unavailable')), machineMs: () => machineMs });
    await silent.measure();
    expect(silent.now().getTime()).toBe(machineMs);
    expect(differenceMs()).toBeLessThan(500);
  });
});
