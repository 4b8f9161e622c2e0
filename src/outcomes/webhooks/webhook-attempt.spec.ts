import { ProviderError } from '#libs/channels';
import { judgeAnswer, judgeFailure } from './webhook-attempt.js';

const policy = { maxAttempts: 3, baseMs: 1_000, capMs: 60_000, random: (): number => 1 };
const NOW = new Date('2026-01-02T03:04:05Z');
const answer = (status: number, headers: Record<string, string> = {}): { status: number; headers: typeof headers } => ({
  status,
  headers,
});

describe('judgeAnswer', () => {
  it.each([200, 204, 299])('should count %d as taken', (status) => {
    expect(judgeAnswer(answer(status), 1, policy, NOW)).toEqual({ kind: 'delivered', statusCode: status });
  });

  it.each([302, 400, 404, 429, 500, 503])('should try again after %d', (status) => {
    expect(judgeAnswer(answer(status), 1, policy, NOW)).toMatchObject({
      kind: 'retry',
      afterMs: 1_000,
      statusCode: status,
    });
  });

  it('should wait twice as long each time and give up at last', () => {
    expect(judgeAnswer(answer(500), 2, policy, NOW)).toMatchObject({ kind: 'retry', afterMs: 2_000 });
    expect(judgeAnswer(answer(500), 3, policy, NOW)).toMatchObject({ kind: 'given up', statusCode: 500 });
  });

  it('should wait as long as the receiver asks for, within bounds', () => {
    expect(judgeAnswer(answer(429, { 'retry-after': '30' }), 1, policy, NOW)).toMatchObject({ afterMs: 30_000 });
    expect(judgeAnswer(answer(429, { 'retry-after': '9999' }), 1, policy, NOW)).toMatchObject({ afterMs: 60_000 });
    expect(judgeAnswer(answer(429, { 'retry-after': 'soon' }), 1, policy, NOW)).toMatchObject({ afterMs: 1_000 });
    const date = 'Fri, 02 Jan 2026 03:04:35 GMT';
    expect(judgeAnswer(answer(429, { 'retry-after': date }), 1, policy, NOW)).toMatchObject({ afterMs: 30_000 });
  });

  it('should understand 410 as the wish to be left alone', () => {
    expect(judgeAnswer(answer(410), 1, policy, NOW)).toMatchObject({ kind: 'gone' });
  });
});

describe('judgeFailure', () => {
  const failure = (code: 'timeout' | 'url_not_allowed'): ProviderError =>
    new ProviderError('No.', { code, retryable: code === 'timeout' });

  it('should try again when there was no answer, and give up at last', () => {
    expect(judgeFailure(failure('timeout'), 1, policy)).toEqual({ kind: 'retry', afterMs: 1_000, error: 'No.' });
    expect(judgeFailure(failure('timeout'), 3, policy)).toEqual({ kind: 'given up', error: 'No.' });
  });

  it('should give up at once where the address is not allowed', () => {
    expect(judgeFailure(failure('url_not_allowed'), 1, policy)).toMatchObject({ kind: 'given up' });
  });

  it('should try a name again that does not lead to a public address', () => {
    const unknown = new ProviderError('No.', { code: 'url_not_allowed', retryable: true });
    expect(judgeFailure(unknown, 1, policy)).toMatchObject({ kind: 'retry' });
  });
});
