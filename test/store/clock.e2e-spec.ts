import { jest } from '@jest/globals';
import { Clock } from '#libs/common';
import { createWorkflow, identifierOf } from '../factories/workflow.factory.js';
import { dataOf } from '../support/answers.js';
import { startTestApi } from '../support/test-api.js';

const HOUR_MS = 3_600_000;
const OTHERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

/** The time of the machine, which the store in its own process has as well. */
const rightMs = (): number => performance.timeOrigin + performance.now();

describe('a process whose clock is wrong', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it.each([HOUR_MS, -HOUR_MS])('should work by the clock of the store where its own is off by %i ms', async (offMs) => {
    jest.useFakeTimers({ now: rightMs() + offMs, doNotFake: [...OTHERS], advanceTimers: true });
    const api = await startTestApi({ DELIVERY_WORKER: 'off' });
    try {
      expect(Math.abs(api.app.get(Clock).now().getTime() - rightMs())).toBeLessThan(HOUR_MS / 2);
      const session = await api.session();
      const workflow = identifierOf(await createWorkflow(session, { active: true }));
      const body = { name: workflow, to: 'ann', payload: {}, transactionId: 'late-or-early' };
      await session.post('/v1/events/trigger', body).expect(201);
      const event = dataOf<{ createdAt: string }>(await session.get('/v1/events/trigger/late-or-early').expect(200));
      expect(Math.abs(Date.parse(event.createdAt) - rightMs())).toBeLessThan(HOUR_MS / 2);
    } finally {
      await api.close();
    }
  });
});
