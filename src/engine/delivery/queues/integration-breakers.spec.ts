import { ProviderError, type ProviderErrorCode } from '#libs/channels';
import { AppConfig } from '#libs/config';
import { repetitions } from '../../../../test/harness/index.js';
import { type Random, seeded } from '../../../../test/support/schedules.js';
import { IntegrationHealth, type Outage } from '../../../channels/integrations/index.js';
import { type Guarded, IntegrationBreakers } from './integration-breakers.js';
import { HeldBack } from './held-back.js';

const SEEDS = repetitions({ short: 60, long: 3_000 });
const START = Date.UTC(2026, 0, 1);
const OPEN_MS = 30_000;
const ENVIRONMENT = '65f000000000000000000001';
const ACCOUNT: Guarded = { id: '65f000000000000000000002', channel: 'sms', providerId: 'twilio' };

/** The field of the stored integration. Each change is one step, as in the store. */
class Stored extends IntegrationHealth {
  outage: Outage | undefined;
  /** Probes that were let through. */
  readonly probes: number[] = [];

  constructor() {
    super(undefined as never, undefined as never, undefined as never);
  }

  override down(_tenant: unknown, _id: string, outage: Outage): Promise<boolean> {
    if (this.outage !== undefined) return Promise.resolve(false);
    this.outage = outage;
    return Promise.resolve(true);
  }

  override probe(_tenant: unknown, _id: string, before: Outage, next: Outage): Promise<boolean> {
    if (this.outage?.until.getTime() !== before.until.getTime()) return Promise.resolve(false);
    this.outage = { ...this.outage, until: next.until, probes: next.probes };
    this.probes.push(before.until.getTime());
    return Promise.resolve(true);
  }

  override recovered(): Promise<boolean> {
    const wasDown = this.outage !== undefined;
    this.outage = undefined;
    return Promise.resolve(wasDown);
  }
}

describe('IntegrationBreakers', () => {
  const config = AppConfig.from({
    DELIVERY_BREAKER_FAILURES: '3',
    DELIVERY_BREAKER_OPEN_MS: String(OPEN_MS),
  });
  const failure = (code: ProviderErrorCode): ProviderError =>
    new ProviderError('It did not work.', { code, retryable: true });
  const at = (ms: number): Date => new Date(START + ms);
  let stored: Stored;
  let breakers: IntegrationBreakers;
  const read = (): Guarded => ({ ...ACCOUNT, ...(stored.outage && { outage: stored.outage }) });
  const fail = (message: string, code: ProviderErrorCode = 'unavailable', one = read()): Promise<void> =>
    breakers.failed(ENVIRONMENT, one, message, failure(code), at(0));
  const admitted = (ms: number, by = breakers): Promise<boolean> =>
    by.admit(ENVIRONMENT, read(), at(ms)).then(
      () => true,
      (error: unknown) => {
        expect(error).toBeInstanceOf(HeldBack);
        return false;
      },
    );

  beforeEach(() => {
    stored = new Stored();
    breakers = new IntegrationBreakers(stored, config);
  });

  it('should open after failures of different messages in a row, and of no other kind', async () => {
    for (const message of ['1', '1', '1', '1', '2']) await fail(message);
    expect(stored.outage).toBeUndefined();
    // The provider answers: it is up.
    await fail('3', 'rejected');
    for (const message of ['4', '5']) await fail(message, 'timeout');
    await breakers.succeeded(ENVIRONMENT, read(), at(0));
    for (const message of ['6', '7']) await fail(message, 'unreachable');
    // Says nothing of the provider.
    await fail('8', 'credentials_incomplete');
    expect(breakers.isOpen(read(), at(0))).toBe(false);
    await fail('9');
    expect(breakers.isOpen(read(), at(0))).toBe(true);
    expect(stored.outage).toEqual({
      since: at(0),
      until: at(OPEN_MS),
      probes: 0,
      code: 'unavailable',
      error: 'It did not work.',
    });
  });

  it('should not open for rooms and browsers, which have servers of their own', async () => {
    for (const one of [
      { ...ACCOUNT, channel: 'chat' as const },
      { ...ACCOUNT, channel: 'push' as const, providerId: 'web-push' },
    ]) {
      for (const message of ['1', '2', '3', '4']) await fail(message, 'unreachable', one);
    }
    expect(stored.outage).toBeUndefined();
  });

  it('should let one message of all processes try, then wait for twice as long, and close', async () => {
    const other = new IntegrationBreakers(stored, config);
    for (const message of ['1', '2', '3']) await fail(message);
    expect(await admitted(OPEN_MS - 1, other)).toBe(false);
    const tries = await Promise.all([admitted(OPEN_MS), admitted(OPEN_MS, other), admitted(OPEN_MS)]);
    expect(tries.filter(Boolean)).toHaveLength(1);
    // It failed.
    await breakers.failed(ENVIRONMENT, read(), '4', failure('unavailable'), at(OPEN_MS + 10));
    expect(stored.outage).toMatchObject({ probes: 1, until: at(3 * OPEN_MS) });
    expect(await admitted(3 * OPEN_MS - 1)).toBe(false);
    expect(await admitted(3 * OPEN_MS)).toBe(true);
    await breakers.succeeded(ENVIRONMENT, read(), at(3 * OPEN_MS + 10));
    expect(stored.outage).toBeUndefined();
    expect([await admitted(3 * OPEN_MS + 20), await admitted(3 * OPEN_MS + 5_000, other)]).toEqual([true, true]);
  });

  it('should say when to come again, one message after the other', async () => {
    for (const message of ['1', '2', '3']) await fail(message);
    const waits: number[] = [];
    for (let n = 0; n < 3; n += 1) {
      await breakers.admit(ENVIRONMENT, read(), at(1_000)).catch((error: HeldBack) => waits.push(error.retryAfterMs));
    }
    expect(waits).toEqual([29_000, 29_050, 29_100]);
  });

  it('should not wait for the time of a clock that was set back', async () => {
    for (const message of ['1', '2', '3']) await fail(message);
    const hourBefore = -3_600_000;
    expect(breakers.isOpen(read(), at(hourBefore))).toBe(false);
    expect(await admitted(hourBefore)).toBe(true);
    expect(await admitted(hourBefore + OPEN_MS)).toBe(false);
  });

  it('should see what another process has found out since its clock was set back', async () => {
    for (const message of ['1', '2', '3']) await fail(message);
    await stored.recovered();
    expect(await admitted(-3_600_000)).toBe(true);
  });

  it('should be off at 0', async () => {
    breakers = new IntegrationBreakers(stored, AppConfig.from({ DELIVERY_BREAKER_FAILURES: '0' }));
    for (let n = 0; n < 20; n += 1) await fail(String(n));
    expect(stored.outage).toBeUndefined();
  });

  interface Waiting {
    readonly name: string;
    dueAt: number;
  }

  /** Two processes with messages for a provider that comes and goes. They read late, stand still, and die in calls. */
  const play = async (random: Random): Promise<{ sent: string[]; wasted: number; outages: number }> => {
    const health = new Stored();
    const processes = [0, 1].map(() => ({ breakers: new IntegrationBreakers(health, config), seen: ACCOUNT }));
    const waiting: Waiting[] = Array.from({ length: 30 }, (_, n) => ({ name: String(n), dueAt: START }));
    const sent: string[] = [];
    let [now, isUp, wasted, outages] = [START, true, 0, 0];
    for (let step = 0; waiting.length > 0 && step < 20_000; step += 1) {
      now += Math.floor(random() * 2_000);
      if (random() < 0.02) isUp = !isUp;
      // In the end it stays up.
      if (step > 5_000) isUp = true;
      const place = Math.floor(random() * 2);
      const own = processes[place];
      if (own === undefined) throw new Error('no process');
      // What it has read is some seconds old.
      if (random() < 0.5) own.seen = { ...ACCOUNT, ...(health.outage && { outage: health.outage }) };
      const due = waiting.filter(({ dueAt }) => dueAt <= now);
      const message = due[Math.floor(random() * due.length)];
      if (message === undefined) continue;
      const probes = health.probes.length;
      try {
        await own.breakers.admit(ENVIRONMENT, own.seen, new Date(now));
      } catch (error) {
        message.dueAt = now + (error as HeldBack).retryAfterMs;
        expect(message.dueAt).toBeLessThanOrEqual(now + 310_000);
        continue;
      }
      if (random() < 0.05) {
        // It dies before it has learned the outcome, and another one is started.
        processes[place] = { breakers: new IntegrationBreakers(health, config), seen: ACCOUNT };
        message.dueAt = now + 10_000;
      } else if (isUp) {
        await own.breakers.succeeded(ENVIRONMENT, own.seen, new Date(now));
        waiting.splice(waiting.indexOf(message), 1);
        sent.push(message.name);
      } else {
        const wasDown = health.outage !== undefined;
        if (wasDown && health.probes.length === probes) wasted += 1;
        await own.breakers.failed(ENVIRONMENT, own.seen, message.name, failure('unavailable'), new Date(now));
        if (!wasDown && health.outage !== undefined) outages += 1;
        message.dueAt = now + 1_000;
      }
    }
    expect(waiting).toEqual([]);
    // Each time was used by one message.
    expect(new Set(health.probes).size).toBe(health.probes.length);
    return { sent, wasted, outages };
  };

  it('should lose nothing with two processes that die, and let all through when the provider is up', async () => {
    let [outages, wasted] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const result = await play(seeded(seed));
      expect({ seed, sent: new Set(result.sent).size }).toEqual({ seed, sent: 30 });
      outages += result.outages;
      wasted += result.wasted;
    }
    expect(outages).toBeGreaterThan(SEEDS / 10);
    // Calls of a provider that is known to be down, by a process that has not read it yet.
    expect(wasted).toBeLessThanOrEqual(3 * outages);
  });
});
