import type { Verdict } from './answer.js';

export const LIMITED: Verdict = { code: 'rate_limited', retryable: true };
/** What can pass without anybody doing anything. */
export const PASSING: Verdict = { code: 'unavailable', retryable: true };
export const UNAUTHORIZED: Verdict = { code: 'unauthorized', retryable: false };
export const REJECTED: Verdict = { code: 'rejected', retryable: false };
/** The target takes this message not, and perhaps others. */
export const WRONG_TARGET: Verdict = { code: 'invalid_target', retryable: false };
/** The target takes nothing any more. */
export const GONE: Verdict = { ...WRONG_TARGET, isGone: true };

/** What the codes of a provider mean, as its documentation lists them. @param lists codes separated by blanks */
export function byCode(
  ...lists: readonly (readonly [Verdict, codes: string])[]
): (code: string | undefined) => Verdict | undefined {
  const all = new Map(lists.flatMap(([verdict, codes]) => codes.split(' ').map((code) => [code, verdict] as const)));
  return (code) => (code === undefined ? undefined : all.get(code));
}
