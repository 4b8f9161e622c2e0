import type { DryStep } from './dry-run-words.js';
import { offsetWords, stopsOf } from './time-line-stops.js';

const START = Date.parse('2026-01-01T09:00:00.000Z');
const HOUR = 3_600_000;
const at = (hours: number, ms = 0): string => new Date(START + hours * HOUR + ms).toISOString();

function step(type: DryStep['type'], more: Partial<DryStep> = {}): DryStep {
  return {
    _id: 's',
    uuid: 'u',
    type,
    status: 'completed',
    variants: [],
    integrations: [],
    messages: [],
    details: [],
    ...more,
  };
}

describe('offsetWords', () => {
  it.each([
    [0, 'At once'],
    [59_000, 'At once'],
    [60_000, 'After 1 minute'],
    [HOUR, 'After 1 hour'],
    [2.5 * HOUR, 'After 2 hours 30 minutes'],
    [24 * HOUR, 'On day 1'],
    [75 * HOUR, 'On day 3'],
  ])('should say %s as %s', (ms, words) => {
    expect(offsetWords(ms)).toBe(words);
  });
});

describe('stopsOf', () => {
  it('should put steps of one moment together, and waits where they begin', () => {
    const stops = stopsOf({
      steps: [
        step('in_app', { at: at(0) }),
        step('delay', { at: at(0, 3), until: at(1) }),
        step('email', { at: at(1) }),
        step('wait_for_event', { at: at(1, 2), until: at(73) }),
        step('sms', { at: at(73) }),
        step('push'),
      ],
    });
    expect(stops.map(({ label, steps }) => [label, steps.map(({ type }) => type)])).toEqual([
      ['At once', ['in_app', 'delay']],
      ['After 1 hour', ['email', 'wait_for_event']],
      ['On day 3', ['sms']],
    ]);
  });

  it('should put a message that is held where it is sent', () => {
    const stops = stopsOf({ steps: [step('email', { at: at(0), until: at(10) }), step('in_app', { at: at(10) })] });
    expect(stops.map(({ label, steps }) => [label, steps.length])).toEqual([['After 10 hours', 2]]);
  });

  it('should be empty where nothing is reached', () => {
    expect(stopsOf({ steps: [step('email')] })).toEqual([]);
  });
});
