/** Indents a value, or a text that is JSON; any other text stays as it is. */
export function prettyJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, undefined, 2) ?? '';
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null ? JSON.stringify(parsed, undefined, 2) : value;
  } catch {
    return value;
  }
}
