import { operatorLabel, timeLineOf } from './time-line.js';
import type { Job } from './words.js';

type Detail = Job['executionDetails'][number];
type History = NonNullable<Job['history']>;

let ids = 0;
const detail = (text: string, more: Partial<Detail> = {}): Detail =>
  ({ _id: `d${++ids}`, createdAt: '2026-02-01T12:00:00.000Z', detail: text, status: 'Pending', ...more }) as Detail;
const history = (attempts: Partial<History['attempts'][number]>[]): History =>
  ({ attempts, conditions: [], callbacks: [], messageIds: [] }) as unknown as History;

describe('timeLineOf', () => {
  it('should number attempts, and say how long each waited and what the provider said', () => {
    const at = ['2026-02-01T12:00:01.000Z', '2026-02-01T12:00:31.000Z'] as const;
    const entries = timeLineOf({
      executionDetails: [
        detail('Step created'),
        detail('Unexpected provider error', { createdAt: at[0], providerId: 'twilio', status: 'Warning' }),
        detail('Message sent', { createdAt: at[1], providerId: 'twilio', status: 'Success' }),
      ],
      history: history([
        {
          at: at[0],
          providerId: 'twilio',
          outcome: 'not_sent',
          replay: 0,
          error: 'slow down',
          answer: '{"status":429}',
        },
        { at: at[1], providerId: 'twilio', outcome: 'sent', replay: 0, waitedMs: 30_000 },
      ]),
    });
    expect(entries.map(({ title, tone, wait, words, raw }) => ({ title, tone, wait, words, raw }))).toEqual([
      { title: 'Step created', tone: 'idle' },
      { title: 'Attempt 1 with twilio: rejected', tone: 'warn', words: 'slow down', raw: '{"status":429}' },
      { title: 'Attempt 2 with twilio: accepted', tone: 'good', wait: 'after 30 s' },
    ]);
  });

  it('should say where a throttle stands, and what a server answered', () => {
    const executionDetails = [
      detail('Throttle was passed', { raw: '{"executionCount":2,"threshold":3,"opensAt":"2026-02-01T13:00:00.000Z"}' }),
      detail('Message is held because the budget of the subscriber is used up', {
        raw: '{"budget":"few","count":5,"max":5,"opensAt":"2026-02-01T13:00:00.000Z"}',
      }),
      detail('Message is within the budget of the subscriber', {
        raw: '{"budgets":[{"name":"few","count":1,"max":5},{"name":"all","count":2,"max":9}]}',
      }),
      detail('Message went into the digest of what the budget has held', {
        raw: '{"budget":"few","messages":3,"transactionId":"budget-1"}',
      }),
      detail('HTTP request was answered', { raw: '{"method":"GET","url":"https://example.com/a","status":200}' }),
      detail('Message sent', { raw: '{"status":202}' }),
    ];
    expect(timeLineOf({ executionDetails, history: history([]) }).map(({ words }) => words)).toEqual([
      '2 of 3 until 2026-02-01T13:00:00.000Z',
      expect.stringMatching(/^few: 5 of 5, opens /) as string,
      'few: 1 of 5; all: 2 of 9',
      'few: one of 3 in budget-1',
      'GET https://example.com/a: 200',
      undefined,
    ]);
  });

  it('should say what a step waits for, and what it does then', () => {
    const executionDetails = [
      detail('Step waits for an event', { raw: '{"event":"message.read","until":"2026-02-01T13:00:00.000Z"}' }),
      detail('Event arrived', { raw: '{"event":"message.read","then":"stop"}' }),
    ];
    expect(timeLineOf({ executionDetails, history: history([]) }).map(({ words }) => words)).toEqual([
      'message.read, until 1 Feb 2026, 13:00:00',
      'message.read: ends here',
    ]);
  });

  it('should number the attempts of each replay anew', () => {
    const failed = { providerId: 'ses', status: 'Failed' as const };
    const attempt = { at: '2026-02-01T12:00:00.000Z', providerId: 'ses', outcome: 'not_sent' as const };
    const { executionDetails, ...rest } = {
      executionDetails: [
        detail('Unexpected provider error', failed),
        detail('Step replayed'),
        detail('Unexpected provider error', failed),
      ],
      history: history([
        { ...attempt, replay: 0 },
        { ...attempt, replay: 1 },
      ]),
    };
    expect(timeLineOf({ executionDetails, ...rest }).map(({ title }) => title)).toEqual([
      'Attempt 1 with ses: rejected',
      'Step replayed',
      'Replay 1, attempt 1 with ses: rejected',
    ]);
  });

  it('should tell what providers reported, which is no attempt', () => {
    const reported = { providerId: 'postmark', webhookStatus: 'bounced', status: 'Failed' as const };
    const [entry] = timeLineOf({ executionDetails: [detail('550 no such user', reported)], history: history([]) });
    expect(entry).toMatchObject({ title: 'postmark reported: bounced', words: '550 no such user', tone: 'bad' });
  });

  it('should mark a skipped step, read the words of an error, and take any other text as it is', () => {
    const entries = timeLineOf({
      executionDetails: [
        detail('Step was filtered based on steps filters', { status: 'Success' }),
        detail('Message content could not be generated', { status: 'Failed', raw: '{"error":"line 2"}' }),
        detail('Step delayed', { raw: '{"delay":172800000}' }),
        detail('Digest triggered events', { status: 'Success', raw: '{"events": [' }),
      ],
    });
    expect(entries.map(({ tone, words }) => [tone, words])).toEqual([
      ['warn', undefined],
      ['bad', 'line 2'],
      ['idle', 'for 2 d'],
      ['good', undefined],
    ]);
  });
});

describe('operatorLabel', () => {
  it('should say operators in words', () => {
    expect([operatorLabel('LARGER'), operatorLabel('NEW_ONE')]).toEqual(['is larger than', 'NEW_ONE']);
  });
});
