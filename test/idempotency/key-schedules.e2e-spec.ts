import { repetitions } from '../harness/index.js';
import { type Begun, IdempotencyKeyInProgress, type Run } from '../../src/http/idempotency/index.js';
import { IdempotencyService } from '../../src/http/idempotency/idempotency.service.js';
import { type DeliveryApi, startDeliveryApi, storeNamed } from '../support/delivery-api.js';
import { seeded } from '../support/schedules.js';
import { tenantOf } from '../support/service-tenant.js';

const SEEDS = Array.from({ length: repetitions({ short: 20, long: 200 }) }, (_, place) => place + 1);
const STEPS = 40;
const LONGEST_LEASE_MS = 10_000;

interface Holder {
  readonly run: Run;
  readonly service: IdempotencyService;
  readonly name: number;
}

describe('a key whose processes die or stand still', () => {
  let first: DeliveryApi;
  let second: DeliveryApi;
  beforeAll(async () => {
    const store = storeNamed('key_schedules');
    first = await startDeliveryApi('key_schedules', { DELIVERY_WORKER: 'off' }, undefined, store);
    second = await startDeliveryApi('key_schedules', { DELIVERY_WORKER: 'off' }, first.clock, store);
  });
  afterAll(() => Promise.all([first.api.close(), second.api.close()]));

  it.each(SEEDS)('should have one holder at a time, and keep the result of the last one: seed %i', async (seed) => {
    const random = seeded(seed);
    const { clock } = first;
    const session = await first.api.session();
    const tenant = tenantOf(session);
    const services = [first, second].map(({ api }) => api.app.get(IdempotencyService, { strict: false }));
    const request = { method: 'POST', path: '/v1/feeds', key: `key-${seed}`, content: {} };
    /** Carries the request out, and renews its key. */
    let live: Holder | undefined;
    /** Stand still. They go on, some of them after another one has taken the key over. */
    const stalled: Holder[] = [];
    /** Of whom the key was last, and until when at most it is blocked. */
    let last = 0;
    let freeAt = 0;
    let kept: number | undefined;
    let begun = 0;

    const begin = async (service: IdempotencyService): Promise<void> => {
      const now = clock.now().getTime();
      let answer: Begun;
      try {
        answer = await service.begin(tenant, request);
      } catch (error) {
        if (!(error instanceof IdempotencyKeyInProgress)) throw error;
        const waitMs = Number(error.retryAfterSeconds) * 1_000;
        expect(waitMs).toBeLessThanOrEqual(LONGEST_LEASE_MS);
        expect(live !== undefined || now < freeAt).toBe(true);
        // Who comes when it was told finds the key free, unless somebody who lives has renewed it.
        if (live === undefined) expect(now + waitMs).toBeGreaterThanOrEqual(freeAt);
        return;
      }
      if ('result' in answer) return expect(answer.result).toMatchObject({ value: kept });
      expect(live).toBeUndefined();
      expect(kept).toBeUndefined();
      begun += 1;
      last = begun;
      live = { run: answer.run, service, name: begun };
      freeAt = now + LONGEST_LEASE_MS;
    };
    const finish = async ({ run, service, name }: Holder): Promise<void> => {
      await service.finish(run, { kind: 'value', status: 201, value: name });
      if (name === last) kept ??= name;
    };

    for (let step = 0; step < STEPS; step += 1) {
      const dice = random();
      const service = services[Math.floor(random() * services.length)] as IdempotencyService;
      if (dice < 0.4) await begin(service);
      else if (dice < 0.6) {
        // Nobody who lives is late with it.
        clock.advance(Math.floor(random() * 9_000));
        for (const one of services) await one.renew();
        if (live !== undefined) freeAt = clock.now().getTime() + LONGEST_LEASE_MS;
      } else if (dice < 0.75 && live !== undefined) {
        live.service.end(live.run);
        if (random() < 0.6) stalled.push(live);
        live = undefined;
      } else if (dice < 0.85) {
        const [holder] = stalled.splice(Math.floor(random() * stalled.length), 1);
        if (holder !== undefined) await finish(holder);
      } else if (dice < 0.9 && live !== undefined) {
        await finish(live);
        live.service.end(live.run);
        live = undefined;
      }
    }
    if (live !== undefined) live.service.end(live.run);
    live = undefined;
    clock.advance(LONGEST_LEASE_MS);
    await begin(services[0] as IdempotencyService);
    expect(kept ?? live).toBeDefined();
  });
});
