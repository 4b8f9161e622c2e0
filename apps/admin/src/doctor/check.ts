/** The answer to one question about an installation. */
export interface Check {
  /** What is looked at, such as `store` or `spf example.com`. */
  readonly name: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly sentence: string;
  /** What to do about it. */
  readonly advice?: string;
}

export const ok = (name: string, sentence: string): Check => ({ name, status: 'ok', sentence });
export const warn = (name: string, sentence: string, advice: string): Check => ({
  name,
  status: 'warn',
  sentence,
  advice,
});
export const fail = (name: string, sentence: string, advice: string): Check => ({
  name,
  status: 'fail',
  sentence,
  advice,
});

/** Checks that answer in time: what hangs or throws is an answer as well. */
export async function within(
  name: string,
  ms: number,
  checks: () => Promise<readonly Check[]>,
): Promise<readonly Check[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Check[]>((resolve) => {
    const advice = 'Look whether a firewall or an overloaded machine holds it up, then run the command again.';
    timer = setTimeout(() => resolve([fail(name, `There was no answer within ${ms / 1_000} s.`, advice)]), ms);
  });
  try {
    return await Promise.race([checks(), late]);
  } catch (error) {
    return [fail(name, messageOf(error), 'Mend this, then run the command again.')];
  } finally {
    clearTimeout(timer);
  }
}

/** The words of an error on one line; nested ones, as those of `fetch`, say more. */
export function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  const inner = cause as { code?: string; message?: string } | undefined;
  const reason = inner?.code ?? inner?.message;
  const text = reason === undefined ? message : `${message} (${reason})`;
  // A connection string can hold a password.
  return text
    .replace(/\/\/[^@/\s]*@/g, '//')
    .replace(/\s+/g, ' ')
    .slice(0, 400);
}
