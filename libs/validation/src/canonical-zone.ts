const MAX_NAME_LENGTH = 255;
const MAX_ZONES = 1_000;
const zones = new Map<string, string | undefined>();

/**
 * `Europe/Berlin` for `europe/berlin`. Date libraries cache every name, so names of callers must go through here first.
 * @returns undefined if there is no such zone
 */
export function canonicalZone(name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH) return undefined;
  // All spellings of a zone are one entry.
  const key = name.toLowerCase();
  if (!zones.has(key)) {
    if (zones.size === MAX_ZONES) zones.clear();
    zones.set(key, resolve(name));
  }
  return zones.get(key);
}

function resolve(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
