import { changesOf, type Finding } from './alert-changes.js';
import type { Incident } from './alerts.schema.js';

const NOW = new Date('2026-03-02T09:00:00Z');
const BEFORE = new Date('2026-03-02T08:00:00Z');
const share = (isOver: boolean): Finding => ({ about: 'failures', kind: 'failures', facts: { percent: 30 }, isOver });
const dead = (count: number): Finding => ({
  about: 'dead_letters',
  kind: 'dead_letters',
  facts: { count },
  count,
  isOver: true,
});
const outage = (since: Date): Finding => ({
  about: 'provider:1',
  kind: 'provider',
  since,
  facts: { integration: 'Mail', channel: 'email' },
  isOver: true,
});
const openOf = (found: Finding): Incident[] => changesOf('a', [], [found], BEFORE).open;
const idsOf = (before: readonly Incident[], found: readonly Finding[]): string[] =>
  changesOf('a', before, found, NOW).alerts.map(({ transactionId }) => transactionId);

describe('changesOf', () => {
  it('should begin with what is over the limit, and end with what is far below', () => {
    expect(idsOf([], [share(true)])).toEqual([`alert:a:failures:${NOW.getTime()}:began`]);
    expect(idsOf([], [share(false)])).toEqual([]);
    expect(idsOf(openOf(share(true)), [share(false)])).toEqual([]);
    expect(idsOf(openOf(share(true)), [])).toEqual([`alert:a:failures:${BEFORE.getTime()}:ended`]);
  });

  it('should name the same event for the same outage, whenever it is noticed', () => {
    const id = `alert:a:provider:1:${BEFORE.getTime()}:began`;
    expect(idsOf([], [outage(BEFORE)])).toEqual([id]);
    expect(changesOf('a', [], [outage(BEFORE)], BEFORE).alerts[0]?.transactionId).toBe(id);
    expect(idsOf(openOf(outage(BEFORE)), [outage(BEFORE)])).toEqual([]);
  });

  it('should tell of an outage that has followed another one', () => {
    expect(idsOf(openOf(outage(BEFORE)), [outage(NOW)])).toEqual([`alert:a:provider:1:${NOW.getTime()}:began`]);
  });

  it('should tell of dead letters again when there are ten times as many, and not when they are gone', () => {
    expect(idsOf(openOf(dead(3)), [dead(29)])).toEqual([]);
    expect(idsOf(openOf(dead(3)), [dead(30)])).toHaveLength(1);
    expect(idsOf(openOf(dead(3)), [])).toEqual([]);
  });
});
