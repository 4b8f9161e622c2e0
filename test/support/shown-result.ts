const ANY = '…';

/** Where JSON differs from what a page shows of it; `…` stands for anything, and further members are allowed. */
export function differenceOf(shown: unknown, actual: unknown, path = 'answer'): string | undefined {
  if (typeof shown === 'string') return ofTexts(shown, actual, path);
  if (Array.isArray(shown)) {
    if (!Array.isArray(actual) || actual.length !== shown.length) return fault(path, shown, actual);
    return first(shown.map((item, index) => differenceOf(item, actual[index], `${path}.${index}`)));
  }
  if (typeof shown !== 'object' || shown === null)
    return Object.is(shown, actual) ? undefined : fault(path, shown, actual);
  if (typeof actual !== 'object' || actual === null || Array.isArray(actual)) return fault(path, shown, actual);
  const members = actual as Record<string, unknown>;
  return first(Object.entries(shown).map(([key, value]) => differenceOf(value, members[key], `${path}.${key}`)));
}

/** Whether a text contains the lines that a page shows; `…` stands for anything within a line. */
export function containsShown(shown: string, actual: string): boolean {
  const lines = shown
    .trim()
    .split('\n')
    .map((line) => line.trim());
  const printed = actual.split('\n').map((line) => line.trim());
  const starts = printed.map((_, index) => index);
  return starts.some((start) => lines.every((line, offset) => isLike(line, printed[start + offset] ?? '')));
}

function ofTexts(shown: string, actual: unknown, path: string): string | undefined {
  if (actual !== undefined && shown === ANY) return undefined;
  return typeof actual === 'string' && isLike(shown, actual) ? undefined : fault(path, shown, actual);
}

function isLike(shown: string, actual: string): boolean {
  const parts = shown.split(ANY).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(actual);
}

function fault(path: string, shown: unknown, actual: unknown): string {
  return `${path}: the page shows ${JSON.stringify(shown)}, but it is ${JSON.stringify(actual)}`;
}

function first(faults: readonly (string | undefined)[]): string | undefined {
  return faults.find((one) => one !== undefined);
}
