import { ProviderError, type ProviderErrorDetails } from '#libs/channels';
import { afterFailure } from './retry-rules.js';

const now = new Date('2026-01-01T00:00:00Z');
const policy = { maxAttempts: 3, baseMs: 1_000, capMs: 60_000 };
const failure = (details: Partial<ProviderErrorDetails>): ProviderError =>
  new ProviderError('no', { code: 'unavailable', retryable: true, ...details });

describe('afterFailure', () => {
  it.each([
    ['try again what can pass', {}, { attempt: 1, hasNext: true }, 'retry'],
    ['try again up to the last attempt', {}, { attempt: 2, hasNext: false }, 'retry'],
    ['go to the next integration after the last attempt', {}, { attempt: 3, hasNext: true }, 'next_integration'],
    ['give up after the last attempt of the last one', {}, { attempt: 3, hasNext: false }, 'give_up'],
    [
      'go on at once from what cannot pass',
      { code: 'rejected', retryable: false },
      { attempt: 1, hasNext: true },
      'next_integration',
    ],
    [
      'give up what cannot pass at the last one',
      { code: 'rejected', retryable: false },
      { attempt: 1, hasNext: false },
      'give_up',
    ],
    [
      'give up at once when the address is wrong',
      { code: 'invalid_target', retryable: false },
      { attempt: 1, hasNext: true },
      'give_up',
    ],
  ] as const)('should %s', (_case, details, state, kind) => {
    expect(afterFailure(failure(details), { repeat: 'never', ...state }, policy, now).kind).toBe(kind);
  });

  it.each([
    ['give up at once', { attempt: 1, hasNext: true, repeat: 'never' }, 'give_up'],
    [
      'try the same provider again where that drops repeats',
      { attempt: 1, hasNext: true, repeat: 'same_provider' },
      'retry',
    ],
    ['never go on to another one', { attempt: 3, hasNext: true, repeat: 'same_provider' }, 'give_up'],
    ['try again where the integration allows it', { attempt: 1, hasNext: true, repeat: 'anywhere' }, 'retry'],
    ['go on where the integration allows it', { attempt: 3, hasNext: true, repeat: 'anywhere' }, 'next_integration'],
  ] as const)('should, after an attempt that may have been taken, %s', (_case, state, kind) => {
    const error = failure({ outcome: 'uncertain' });
    expect(afterFailure(error, { ...state, uncertainSince: now }, policy, now).kind).toBe(kind);
  });

  it.each([
    ['a refusal', { code: 'rejected', retryable: false }],
    ['a fault', {}],
  ] as const)('should not go on from %s that follows an attempt that may have been taken', (_case, details) => {
    const state = { attempt: 3, hasNext: true, repeat: 'same_provider', uncertainSince: now } as const;
    expect(afterFailure(failure(details), state, policy, now).kind).toBe('give_up');
  });

  it('should not try again when the provider may have forgotten the key', () => {
    const state = { attempt: 1, hasNext: false, repeat: 'same_provider', uncertainSince: now } as const;
    const after = (details: Partial<ProviderErrorDetails>, at: Date): string =>
      afterFailure(failure({ outcome: 'uncertain', ...details }), state, policy, at).kind;
    expect(after({}, new Date(now.getTime() + 590_000))).toBe('retry');
    expect(after({}, new Date(now.getTime() + 600_000))).toBe('give_up');
    expect(after({ retryAfterMs: 900_000 }, now)).toBe('give_up');
  });

  it('should wait longer with each attempt', () => {
    const waits = [1, 2].map((attempt) => {
      const after = afterFailure(failure({}), { attempt, hasNext: false, repeat: 'never' }, policy, now);
      return after.kind === 'retry' ? after.at.getTime() - now.getTime() : 0;
    });
    expect(waits[0]).toBeGreaterThanOrEqual(500);
    expect(waits[0]).toBeLessThanOrEqual(1_000);
    expect(waits[1]).toBeGreaterThanOrEqual(1_000);
    expect(waits[1]).toBeLessThanOrEqual(2_000);
  });

  it('should wait as long as the provider asks, within an hour', () => {
    const asked = (retryAfterMs: number): number => {
      const after = afterFailure(
        failure({ retryAfterMs }),
        { attempt: 1, hasNext: false, repeat: 'never' },
        policy,
        now,
      );
      return after.kind === 'retry' ? after.at.getTime() - now.getTime() : 0;
    };
    expect(asked(30_000)).toBe(30_000);
    expect(asked(86_400_000)).toBe(3_600_000);
  });
});
