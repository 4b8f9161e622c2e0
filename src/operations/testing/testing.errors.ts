import { defineError } from '#libs/http-kit';

export const TestClockOff = defineError(
  409,
  'test_clock_off',
  () =>
    'Only a Herald for tests can move its time, because everything that waits in it becomes due. Start one with TEST_CLOCK=on and a DATA_DIR of its own.',
  [],
);

export const TestClockInProduction = defineError(
  403,
  'test_clock_in_production',
  (name: string) => `The environment ${name} has no test clock. Use an API key of Development.`,
  ['Production'],
);

export const TestClockBackwards = defineError(
  422,
  'test_clock_backwards',
  (to: string, now: string) => `'to' is ${to}, and it is ${now} already. Time can only be moved forward.`,
  ['2026-03-02T09:00:00.000Z', '2026-03-05T09:00:00.000Z'],
);

export const TestClockTooFar = defineError(
  422,
  'test_clock_too_far',
  (days: number) => `Time can be moved by at most ${days} days at once.`,
  [366],
);
