import { type OutboundResponse, ProviderError } from '#libs/channels';
import { judgeAnswer, judgeFault, MAX_OUTPUT_LENGTH } from './http-answer.js';

const NOW = new Date('2026-01-01T00:00:00Z');
const request = { mask: (text: string) => text.replaceAll('secret', '***') };

const response = (status: number, text: string, more: Partial<OutboundResponse> = {}): OutboundResponse => ({
  status,
  headers: {},
  text,
  isCut: false,
  json: () => undefined,
  ...more,
});

describe('judgeAnswer', () => {
  it.each<[string, string, object]>([
    ['an object', '{"a":1}', { output: { a: 1 } }],
    ['a list', '[1,2]', { output: { body: [1, 2] } }],
    ['a value', 'null', { output: { body: null } }],
    ['nothing', ' ', { output: {} }],
    ['a text', 'ok', { output: { body: 'ok' }, isText: true }],
    ['a secret', '{"a":"my secret"}', { output: { a: 'my ***' } }],
  ])('should hand on %s', (_case, text, expected) => {
    expect(judgeAnswer(response(200, text), request, NOW)).toMatchObject({ status: 200, ...expected });
  });

  it.each([
    [500, true],
    [503, true],
    [408, true],
    [425, true],
    [429, true],
    [400, false],
    [404, false],
    [301, false],
  ])('should know whether status %i may pass', (status, isRetryable) => {
    expect(judgeAnswer(response(status, 'no secret'), request, NOW)).toMatchObject({
      isRetryable,
      status,
      mayBeDone: false,
      answer: 'no ***',
    });
  });

  it('should read Retry-After as seconds and as a date', () => {
    const after = (value: string): unknown =>
      judgeAnswer(response(503, '', { headers: { 'retry-after': value } }), request, NOW);
    expect(after('7')).toMatchObject({ retryAfterMs: 7_000 });
    expect(after('Thu, 01 Jan 2026 00:01:00 GMT')).toMatchObject({ retryAfterMs: 60_000 });
    expect(after('soon')).not.toHaveProperty('retryAfterMs');
  });

  it('should refuse what is too large to be kept, which the server has carried out', () => {
    for (const answer of [response(200, 'x'.repeat(MAX_OUTPUT_LENGTH + 1)), response(200, '{}', { isCut: true })]) {
      expect(judgeAnswer(answer, request, NOW)).toMatchObject({ isRetryable: false, mayBeDone: true, status: 200 });
    }
  });
});

describe('judgeFault', () => {
  it('should tell what may have reached the server from what has not', () => {
    const fault = (outcome: 'not_sent' | 'uncertain'): unknown =>
      judgeFault(new ProviderError('secret host', { code: 'timeout', retryable: true, outcome }), request);
    expect(fault('not_sent')).toEqual({ error: '*** host', isRetryable: true, mayBeDone: false });
    expect(fault('uncertain')).toEqual({ error: '*** host', isRetryable: true, mayBeDone: true });
  });

  it('should not judge faults of Herald', () => {
    const error = new Error('a fault of the program');
    expect(() => judgeFault(error, request)).toThrow(error);
  });
});
