import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressIn, type Place } from '../files/command.js';
import { CommandError } from '../run-command.js';

export type Env = Readonly<Record<string, string | undefined>>;

export const PLACE_USAGE = `HERALD_URL names the Herald (default: http://127.0.0.1:3000, or PORT), HERALD_API_KEY the key (default: the file api-key in DATA_DIR).`;

/** The Herald that a command uses: as for `herald call`. @throws {CommandError} @throws {FilesUsageError} for a wrong address */
export function placeIn(env: Env): Place {
  return { url: urlIn(env), key: keyIn(env) };
}

/** @throws {FilesUsageError} */
function urlIn(env: Env): string {
  return addressIn(env, 'HERALD_URL', `http://127.0.0.1:${env['PORT']?.trim() || 3000}`);
}

/** Keys are no arguments: those are visible to other users and kept in the history of shells. */
function keyIn(env: Env): string {
  const given = (env['HERALD_API_KEY'] || env['API_KEY'])?.trim();
  if (given) return given;
  const file = join(env['DATA_DIR'] || './.data', 'api-key');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new CommandError(`There is no API key in ${file}. Set HERALD_API_KEY, or DATA_DIR to the data of Herald.`);
  }
}
