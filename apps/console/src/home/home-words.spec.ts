import {
  endOf,
  formerQuery,
  intervalName,
  listAddress,
  rangeOf,
  reported,
  share,
  summaryQuery,
  upTo,
  volumeWords,
} from './home-words.js';

describe('words of the home page', () => {
  it('should ask for hours of a day, and for days of a week or a month', () => {
    const now = Date.parse('2026-03-31T10:00:00Z');
    expect(summaryQuery('24h', now)).toEqual({ interval: 'hour' });
    expect(summaryQuery('7d', now)).toEqual({ interval: 'day' });
    expect(summaryQuery('30d', now)).toEqual({ interval: 'day', from: '2026-03-02T10:00:00.000Z' });
    expect([rangeOf('30d'), rangeOf('1y'), rangeOf(null)]).toEqual(['30d', '7d', '7d']);
  });

  it('should compare with the period before, which ends where the first interval begins', () => {
    const now = Date.parse('2026-03-31T10:20:00Z');
    expect(formerQuery('24h', now)).toEqual({
      interval: 'hour',
      from: '2026-03-29T11:00:00.000Z',
      to: '2026-03-30T10:59:59.999Z',
    });
    expect(formerQuery('30d', now)).toEqual({
      interval: 'day',
      from: '2026-01-31T00:00:00.000Z',
      to: '2026-03-01T23:59:59.999Z',
    });
  });

  it('should lead to the list behind a figure, in the time of the browser', () => {
    const from = new Date(2026, 2, 1, 9, 5).toISOString();
    const to = new Date(2026, 2, 2, 9, 5).toISOString();
    expect(listAddress({ status: 'failed', channel: 'sms' }, from)).toBe(
      '/activity?status=failed&channel=sms&from=2026-03-01T09%3A05',
    );
    expect(listAddress({}, from, to)).toBe('/activity?from=2026-03-01T09%3A05&to=2026-03-02T09%3A05');
  });

  it('should name intervals and their ends', () => {
    const at = '2026-03-01T00:00:00.000Z';
    expect(intervalName(at, 'day')).toBe('1 Mar');
    expect(endOf(at, 'day')).toBe('2026-03-02T00:00:00.000Z');
    expect(endOf(at, 'hour')).toBe('2026-03-01T01:00:00.000Z');
  });

  it('should not show zero where nothing is reported', () => {
    expect(reported(0, { sent: 5, bounced: 0 })).toEqual({ value: 'not reported' });
    expect(reported(0, { sent: 5, bounced: 1 })).toEqual({ value: '0', note: '0 %' });
    expect(reported(4, { sent: 8, bounced: 0 })).toEqual({ value: '4', note: '50 %' });
    expect(reported(0, { sent: 0, bounced: 0 })).toEqual({ value: '0', note: '' });
  });

  it('should say shares and counts with an end', () => {
    expect([share(0, 0), share(0, 5), share(1, 5_000), share(1, 40), share(1, 4)]).toEqual([
      '',
      '0 %',
      '< 0.1 %',
      '2.5 %',
      '25 %',
    ]);
    expect([upTo(9_999), upTo(10_000)]).toEqual(['9,999', '10,000+']);
    expect(volumeWords('Email', { sent: 1_200, failed: 3 }, 'Last 7 days')).toBe(
      'Email: 1,200 sent and 3 failed. Last 7 days.',
    );
  });
});
