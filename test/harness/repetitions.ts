/* eslint-disable no-restricted-properties -- how thorough a run is to be is no setting of Herald */

/**
 * How often a test of many cases repeats: as often as `npm test` has time for, or with HERALD_TEST_LONG=1 as often as
 * `npm run test:faults` has. Both begin with the same cases.
 */
export function repetitions({ short, long }: { readonly short: number; readonly long: number }): number {
  return process.env['HERALD_TEST_LONG'] === '1' ? long : short;
}
