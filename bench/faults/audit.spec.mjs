import { audit, tableOf } from './audit.mjs';

const event = (n, kind, more = {}) => [n, { n, kind, to: ['s1'], transactionId: `f${n}`, sentAt: 0, ...more }];

function audited({
  events,
  inApp = [],
  mails = [],
  texts = [],
  webhooks = [],
  engagements = [],
  recorded = [],
  messages = [],
  unfinished = [],
  contradictions = [],
  faults = [],
  guards = {},
}) {
  const rows = audit({
    events: new Map(events),
    received: {
      inApp,
      mails: new Map(mails),
      pushes: new Map(),
      texts: new Map(texts),
      webhooks: new Map(webhooks),
      engagements: new Map(engagements),
      followed: 2,
      guards: { asked: [], found: { outages: 1, refused: 0 }, opened: 0, ...guards },
      uncertain: new Set(),
    },
    records: { messages, unfinished, contradictions, engagements: recorded },
    answers: { counts: new Map(), longestMs: 0, faults },
    surprises: [],
  });
  return rows.filter(({ isGood }) => !isGood).map(({ name, examples }) => [name, ...examples]);
}

describe('the audit of a fault run', () => {
  it('should find nothing where each event is in one message of each recipient', () => {
    const throttled = [5, 6, 7, 8, 9].map((n) => event(n, 'throttle', { slot: n === 9 ? 2 : 1 }));
    const events = [event(1, 'now'), event(2, 'digest'), event(3, 'digest'), event(4, 'mail'), ...throttled];
    events.push(event(10, 'wait'), event(11, 'wait', { signal: { woken: 1 } }));
    events.push(...[12, 13, 14, 15, 16].map((n) => event(n, 'budget')));
    const texts = [12, 13, 15, 16].map((n) => [`${n}/s1`, [10]]);
    const recorded = [{ messageId: 'm', kind: 'clicked', count: 2 }];
    const engagements = [
      ['a', 'm clicked'],
      ['b', 'm clicked'],
    ];
    const passed = ['s1 5', 's1 6', 's1 8', 's1 9', 's1 10'];
    expect(
      audited({ events, inApp: ['s1 1', 's1 2 3 ', ...passed], mails: [['4/s1', [10]]], texts, recorded, engagements }),
    ).toEqual([]);
  });

  it.each([
    ['lost', { events: [event(1, 'now')] }],
    [
      'times at which the push provider was asked too fast',
      {
        events: [event(1, 'mail')],
        mails: [['1/s1', [1]]],
        guards: { asked: Array.from({ length: 61 }, (_, n) => n) },
      },
    ],
    [
      'outages of the push provider, refusals in them, breakers that opened',
      { events: [event(1, 'mail')], mails: [['1/s1', [1]]], guards: { found: { outages: 2, refused: 40 } } },
    ],
    ['lost', { events: [event(1, 'in-app, delay, mail')], inApp: ['s1 1'] }],
    ['in-app messages doubled', { events: [event(1, 'digest')], inApp: ['s1 1', 's1 1'] }],
    ['in a message, but never acknowledged', { events: [event(1, 'now')], inApp: ['s1 1', 's1 9'] }],
    [
      'budgets with too many or too few messages',
      { events: [event(1, 'budget'), event(2, 'budget')], texts: [['1/s1', [10]]] },
    ],
    [
      'budgets with too many or too few messages',
      {
        events: [1, 2, 3, 4, 5].map((n) => event(n, 'budget')),
        texts: [1, 2, 3, 4, 5].map((n) => [`${n}/s1`, [10]]),
      },
    ],
    [
      'opens and clicks without their webhook, with another or recorded too often',
      { events: [event(1, 'now')], inApp: ['s1 1'], recorded: [{ messageId: 'm', kind: 'clicked', count: 1 }] },
    ],
    [
      'opens and clicks without their webhook, with another or recorded too often',
      { events: [event(1, 'now')], inApp: ['s1 1'], engagements: [['w', 'm clicked']] },
    ],
    [
      'opens and clicks without their webhook, with another or recorded too often',
      {
        events: [event(1, 'now')],
        inApp: ['s1 1'],
        recorded: [{ messageId: 'm', kind: 'opened', count: 3 }],
        engagements: ['a', 'b', 'c'].map((id) => [id, 'm opened']),
      },
    ],
    ['waits with another end than their event', { events: [event(1, 'wait')] }],
    [
      'waits with another end than their event',
      { events: [event(1, 'wait', { signal: { woken: 1 } })], inApp: ['s1 1'] },
    ],
    ['waits with another end than their event', { events: [event(1, 'wait')], inApp: ['s1 1', 's1 1'] }],
    [
      'windows of throttles with too many or too few events',
      {
        events: [1, 2, 3, 4].map((n) => event(n, 'throttle', { slot: 1 })),
        inApp: ['s1 1', 's1 2', 's1 3', 's1 4'],
      },
    ],
    [
      'windows of throttles with too many or too few events',
      { events: [event(1, 'throttle', { slot: 1 }), event(2, 'throttle', { slot: 1 })], inApp: ['s1 1'] },
    ],
    ['mails, pushes and chats repeated', { events: [event(1, 'mail')], mails: [['1/s1', [10, 20]]] }],
    [
      'in-app messages delivered although true was answered',
      { events: [event(1, 'delay', { cancel: { answer: true } })], inApp: ['s1 1'] },
    ],
    [
      'in-app messages delivered although true was answered',
      { events: [event(1, 'digest', { cancel: { answer: true } }), event(2, 'digest')], inApp: ['s1 1 2'] },
    ],
    ['lost', { events: [event(1, 'in-app when canceled', { cancel: { answer: false } })] }],
    [
      'mails and pushes delivered although true was answered',
      {
        events: [event(1, 'in-app, delay, mail', { cancel: { answer: true } })],
        inApp: ['s1 1'],
        mails: [['1/s1', [5_000]]],
        deaths: 0,
      },
    ],
    [
      'events whose records contradict each other',
      { events: [event(1, 'now')], inApp: ['s1 1'], contradictions: ['f1'] },
    ],
    [
      'delivered before its time',
      {
        events: [event(1, 'delay')],
        inApp: ['s1 1'],
        messages: [{ id: 'a', transactionId: 'f1', channel: 'in_app' }],
        webhooks: [['a', [500]]],
      },
    ],
    [
      'sent messages without their webhook',
      {
        events: [event(1, 'now')],
        inApp: ['s1 1'],
        messages: [{ id: 'a', transactionId: 'f1', channel: 'in_app' }],
      },
    ],
    ['unfinished records', { events: [event(1, 'now')], inApp: ['s1 1'], unfinished: ['notification'] }],
    [
      'answers other than 2xx and 503 with Retry-After',
      { events: [event(1, 'now')], inApp: ['s1 1'], faults: ['500'] },
    ],
  ])('should find: %s', (name, world) => {
    expect(audited(world).map(([found]) => found)).toContain(name);
  });

  it('should accept what was delivered before a canceled step, what is not delivered, and what was too late to be canceled', () => {
    const events = [
      event(1, 'in-app, delay, mail', { cancel: { answer: true } }),
      event(2, 'delay', { cancel: { answer: true } }),
      event(3, 'delay', { cancel: { answer: false } }),
      event(4, 'delay', { cancel: { answer: undefined } }),
    ];
    expect(audited({ events, inApp: ['s1 1', 's1 3'] })).toEqual([]);
  });

  it('should name what is wrong below the table', () => {
    const rows = [{ name: 'lost', count: 1, isGood: false, examples: ['1 (now)'] }];
    expect(tableOf(rows)).toBe('! lost  1\nlost: 1 (now)');
  });
});
