import {
  axisTop,
  changeWords,
  chartWords,
  healthWord,
  type ProviderHealth,
  timeToSend,
  titleOf,
  worstFirst,
} from './health-words.js';

const health = (more: Partial<ProviderHealth>): ProviderHealth => ({
  channel: 'sms',
  providerId: 'twilio',
  sent: 0,
  failed: 0,
  retried: 0,
  dead: 0,
  points: [],
  pointsBefore: [],
  ...more,
});

describe('words about the health of deliveries', () => {
  it('should name channel and provider', () => {
    expect(titleOf({ channel: 'sms', providerId: 'twilio' })).toBe('SMS · twilio');
    expect(titleOf({ channel: 'in_app', providerId: 'novu' })).toBe('In-app');
    expect(titleOf({ channel: 'email' })).toBe('Email · no provider called');
  });

  it('should tell single failures from many', () => {
    expect(healthWord({ sent: 5, failed: 0 })).toEqual({ tone: 'good', label: 'No failures' });
    expect(healthWord({ sent: 999, failed: 1 })).toEqual({ tone: 'warn', label: '1 of 1,000 failed' });
    expect(healthWord({ sent: 9, failed: 1 }).tone).toBe('bad');
  });

  it('should put the worst first', () => {
    const [calm, busy, broken] = [health({ sent: 1 }), health({ sent: 9 }), health({ failed: 1 })];
    expect(worstFirst([calm, busy, broken])).toEqual([broken, busy, calm]);
  });

  it('should say what a chart shows', () => {
    const points = [1, 4].map((failed) => ({ at: `10:0${failed}`, sent: 2, failed, retried: 0, dead: 0 }));
    const shown = health({ sent: 4, failed: 5, points });
    const words = 'SMS · twilio: 4 sent and 5 failed in 2 intervals. Most failures at 10:04: 4.';
    expect(chartWords(shown, (at) => at)).toBe(words);
    expect(chartWords({ ...shown, pointsBefore: points }, (at) => at)).toBe(
      `${words} In the period before: 4 sent and 5 failed.`,
    );
  });

  it('should compare a figure with that of the period before', () => {
    expect([changeWords(150, 100), changeWords(50, 100), changeWords(100, 100), changeWords(5, 0)]).toEqual([
      '50 % more than before',
      '50 % less than before',
      'as before',
      '',
    ]);
  });

  it('should say that times are known by class only', () => {
    expect([timeToSend(undefined), timeToSend(640)]).toEqual(['–', '≤ 640 ms']);
  });
});

describe('axisTop', () => {
  it.each([
    [0, 2],
    [2, 2],
    [3, 5],
    [10, 10],
    [11, 20],
    [480, 500],
    [501, 1000],
    [Number.NEGATIVE_INFINITY, 2],
  ])('of %d is %d', (max, top) => {
    expect(axisTop(max)).toBe(top);
  });
});
