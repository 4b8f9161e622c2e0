const MAX_NAME_LENGTH = 255;
const MAX_ZONES = 1_000;
const zones = new Map<string, string | undefined>();

/**
 * The canonical name of a time zone, such as `Europe/Berlin` for `europe/berlin`. Libraries of dates keep every name that
 * they see, so names of callers go through here first.
 * @returns undefined if there is no such zone
 */
export function canonicalZone(name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME_LENGTH) return undefined;
  if (!zones.has(name)) {
    if (zones.size === MAX_ZONES) zones.clear();
    zones.set(name, resolve(name));
  }
  return zones.get(name);
}

function resolve(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
