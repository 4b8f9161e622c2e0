import { verifyEmbeddedMongo, type VerifyTotals } from '@herald/embedded-mongo';
import { percent } from '../run-command.js';

/** More sentences tell nobody more. */
const MOST_LISTED = 200;

export interface Verification {
  /** A sentence for each damage. */
  readonly damage: readonly string[];
  /** Damage that is not listed. */
  readonly more: number;
  /** Undefined if the store could not be read to its end. */
  readonly totals: VerifyTotals | undefined;
}

/**
 * Reads everything in the embedded store of a data directory, which Herald may be using.
 * @param report receives lines of progress
 */
export async function verifyStore(dataDir: string, report: (line: string) => void): Promise<Verification> {
  const damage: string[] = [];
  let more = 0;
  const totals = await verifyEmbeddedMongo({
    dataDir,
    onDamage: (sentence) => {
      if (damage.length < MOST_LISTED) damage.push(sentence);
      else more++;
    },
    onProgress: (collection, done, of) => report(`verifying ${collection}: ${percent(done, of)}`),
  });
  return { damage, more, totals };
}
