import { nearestName } from '#libs/common';

/** A variable of the environment that nothing reads, and the setting that was probably meant. */
export interface UnknownSetting {
  readonly name: string;
  readonly nearest: string;
}

/** Variables that programs of Herald read, and that are no settings of the server. */
const OF_PROGRAMS = /^HERALD_(?:URL|API_KEY|TARGET_URL|TARGET_API_KEY|COMMAND|PROGRAM|BUILD|HOME|TEST_\w+)$/;
const PREFIX = 'HERALD_';
/** What Kubernetes and Docker set for each service, such as WORKER_PORT for the service `worker`. */
const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//;
/** Shorter names, such as PORT, HOST and API_KEY, are too near to those that other programs use. */
const MIN_LENGTH = 8;
/** From this length on, two edits hardly lead to another name by chance. */
const LONG_LENGTH = 12;

/**
 * The variables whose names are nearly those of settings. All others pass: an environment is full of variables that are
 * for other programs.
 * @param settings the names that are known
 */
export function unknownSettings(
  env: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): UnknownSetting[] {
  const known = new Set(settings);
  const candidates = settings.filter((name) => name.length >= MIN_LENGTH);
  return Object.entries(env).flatMap(([name, value = '']) => {
    if (known.has(name) || OF_PROGRAMS.test(name) || SERVICE_ADDRESS.test(value)) return [];
    const nearest = near(name, candidates) ?? near(withoutPrefix(name), candidates);
    return nearest === undefined ? [] : [{ name, nearest }];
  });
}

function near(name: string, settings: readonly string[]): string | undefined {
  if (name.length < MIN_LENGTH - 1) return undefined;
  return nearestName(name, settings, name.length >= LONG_LENGTH ? 2 : 1);
}

function withoutPrefix(name: string): string {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : '';
}
