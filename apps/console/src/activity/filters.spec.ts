import { filtersOf, isFiltered, NO_FILTERS, pageOf, parametersOf, queryOf, replayFilterOf } from './filters.js';

const NOW = Date.parse('2026-02-01T12:00:00Z');
const read = (text: string) => filtersOf(new URLSearchParams(text));

describe('filters of the activity', () => {
  it('should survive the way into an address and back', () => {
    const filters = read('status=dead&channel=sms&workflow=w1&subscriber=ada&transaction=t-1&search=x&period=24h');
    expect(read(new URLSearchParams(parametersOf(filters)).toString())).toEqual(filters);
    expect(parametersOf(NO_FILTERS)).toEqual({});
    expect(parametersOf(filters, 3)).toMatchObject({ page: '3' });
  });

  it('should leave out what means nothing', () => {
    expect(read('status=broken&channel=fax+machine&period=9y&from=yesterday&other=1')).toEqual(NO_FILTERS);
    expect(['2', '-1', '1.5', 'x', ''].map((page) => pageOf(new URLSearchParams({ page })))).toEqual([2, 0, 0, 0, 0]);
  });

  it('should become the query of the API', () => {
    expect(queryOf(read('status=failed&channel=email&workflow=w1&subscriber=ada&period=1h'), NOW)).toEqual({
      status: ['failed'],
      channels: ['email'],
      templates: ['w1'],
      subscriberIds: ['ada'],
      from: '2026-02-01T11:00:00.000Z',
    });
    expect(queryOf(NO_FILTERS, NOW)).toEqual({});
  });

  it('should use from and to only without a period', () => {
    const range = 'from=2026-01-31T10:00&to=2026-01-31T11:00';
    const { from, to } = queryOf(read(range), NOW);
    expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(3_600_000);
    expect(queryOf(read(`${range}&period=24h`), NOW)).toEqual({ from: '2026-01-31T12:00:00.000Z' });
  });

  it('should give a replay no status', () => {
    expect(replayFilterOf(read('status=failed&transaction=t-1'), NOW)).toEqual({ transactionId: 't-1' });
  });

  it('should know whether there are any', () => {
    expect(isFiltered(NO_FILTERS)).toBe(false);
    expect(isFiltered(read('search=ada'))).toBe(true);
  });
});
