import { dayOf } from './day.js';

const hours = (at: string, zone: string): [string, number] => {
  const { from, until } = dayOf(new Date(at), zone);
  return [from.toISOString(), (until.getTime() - from.getTime()) / 3_600_000];
};

describe('dayOf', () => {
  it('should begin and end at midnight of the zone', () => {
    expect(hours('2026-11-25T18:29:59Z', 'Asia/Kolkata')).toEqual(['2026-11-24T18:30:00.000Z', 24]);
    expect(hours('2026-11-25T18:30:00Z', 'Asia/Kolkata')).toEqual(['2026-11-25T18:30:00.000Z', 24]);
  });

  it('should be shorter or longer where the clock changes', () => {
    expect(hours('2026-03-29T12:00:00Z', 'Europe/Berlin')).toEqual(['2026-03-28T23:00:00.000Z', 23]);
    expect(hours('2026-10-25T12:00:00Z', 'Europe/Berlin')).toEqual(['2026-10-24T22:00:00.000Z', 25]);
  });

  it('should begin later where the clock skips midnight, and at the first of two', () => {
    // Cairo puts the clock forward at midnight, and back to 23:00 of the day before.
    expect(hours('2026-04-24T12:00:00Z', 'Africa/Cairo')).toEqual(['2026-04-23T22:00:00.000Z', 23]);
    expect(hours('2026-10-29T21:30:00Z', 'Africa/Cairo')).toEqual(['2026-10-28T21:00:00.000Z', 25]);
  });
});
