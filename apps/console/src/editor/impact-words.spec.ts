import { type Impact, impactHeadline, impactNotes, outcomeWords, withAnswer } from './impact-words.js';

const NOTHING = { channels: [], unsent: [], joinsDigest: false, missing: [] };

function answer(more: Partial<Impact> = {}): Impact {
  return {
    since: '2026-01-01T00:00:00.000Z',
    total: 300,
    sample: 300,
    lookedAt: 100,
    notCompared: 0,
    changes: [],
    otherReasons: 0,
    otherTexts: 0,
    otherTimes: 0,
    ...more,
  };
}

const change = (subscriberId: string, notificationId: string): Impact['changes'][number] => ({
  subscriberId,
  notificationId,
  before: NOTHING,
  after: { ...NOTHING, channels: ['email'] },
});

describe('withAnswer', () => {
  it('should count people once, and keep the newest notification of each', () => {
    const first = withAnswer(undefined, answer({ changes: [change('ada', 'new'), change('grace', 'one')] }));
    const both = withAnswer(first, answer({ changes: [change('ada', 'old')], otherTexts: 2 }));
    expect(both).toMatchObject({ lookedAt: 200, otherTexts: 2 });
    expect([...both.people].map(([id, { notificationId }]) => [id, notificationId])).toEqual([
      ['ada', 'new'],
      ['grace', 'one'],
    ]);
  });
});

describe('impactHeadline', () => {
  const headline = (more: Partial<Impact>): string => impactHeadline(withAnswer(undefined, answer(more)));

  it.each<[string, Partial<Impact>]>([
    ['Of 300 notifications of the last 7 days, nobody would get another result.', { lookedAt: 300 }],
    [
      'Of 300 notifications of the last 7 days, 1 person would get another result.',
      { lookedAt: 300, changes: [change('ada', 'one')] },
    ],
    [
      'Looked at 1,829 of 20,119 notifications of the last 7 days, spread evenly: 2 people would get another result.',
      { total: 20_119, sample: 1_829, lookedAt: 1_829, changes: [change('ada', 'a'), change('grace', 'b')] },
    ],
    [
      'Looked at 2,000 of more than 100,000 notifications of the last 7 days, spread evenly: nobody would get another result.',
      { total: 100_000, sample: 2_000, lookedAt: 2_000 },
    ],
    ['Looked at 100 of 300 notifications of the last 7 days before you canceled: nobody would get another result.', {}],
    [
      'The workflow has not run in the last 7 days, so there is nothing to compare with.',
      { total: 0, sample: 0, lookedAt: 0 },
    ],
  ])('should say: %s', (words, more) => {
    expect(headline(more)).toBe(words);
  });
});

describe('impactNotes', () => {
  it('should name only what is there', () => {
    expect(impactNotes(withAnswer(undefined, answer()))).toEqual([]);
    expect(impactNotes(withAnswer(undefined, answer({ otherTexts: 1, otherTimes: 2 })))).toEqual([
      '1 notification would say something else, through the same channels.',
      '2 notifications would come at another time.',
    ]);
  });
});

describe('outcomeWords', () => {
  it('should name the channels, or why there is none', () => {
    expect(outcomeWords({ ...NOTHING, channels: ['in_app', 'email'] })).toBe('In-app, Email');
    expect(outcomeWords({ ...NOTHING, missing: ['plan (Value)'] })).toBe(
      'Nothing: the event would be refused, because it lacks plan',
    );
    expect(outcomeWords({ ...NOTHING, joinsDigest: true })).toBe('Part of a digest that is being collected');
    const unsent = [{ type: 'email' as const, reason: 'conditions', title: 'A step condition was not met' }];
    expect(outcomeWords({ ...NOTHING, unsent })).toBe('Nothing. Email: A step condition was not met');
    expect(outcomeWords(NOTHING)).toBe('Nothing');
  });
});
