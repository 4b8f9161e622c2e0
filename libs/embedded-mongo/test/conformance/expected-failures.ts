/**
 * Tests of the suite that the embedded store does not pass, by file and description, with the reason. The list is checked in both
 * directions: a failure that is not listed and a listed one that passes are both errors.
 */
export const EXPECTED_FAILURES: Record<string, Record<string, string>> = {};
