type Values = Readonly<Record<string, unknown>>;

/** A text that is not empty. */
export function textAt(values: object, key: string): string | undefined {
  const value = (values as Values)[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** One text or a list of them. */
export function textsAt(values: object, key: string): string[] {
  const value = (values as Values)[key];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((entry): entry is string => typeof entry === 'string' && entry !== '');
}

export function recordAt(values: object, key: string): Record<string, unknown> | undefined {
  const value = (values as Values)[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Addresses, each once, but for those that are there already; capitals make no other address. */
export function without(addresses: readonly string[], taken: readonly string[]): string[] {
  const seen = new Set(taken.map((address) => address.toLowerCase()));
  return addresses.filter((address) => {
    const key = address.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
