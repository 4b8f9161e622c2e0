import { createHash } from 'node:crypto';
import type { SplitMetadata } from './split.declaration.js';

const RANGE = 2 ** 48;

/**
 * The arm of a subscriber: the same at each event and in each environment, and of other splits not related to it.
 * @param split what names the step
 */
export function armOf({ arms, winner }: SplitMetadata, split: string, subscriberId: string): string {
  if (winner !== undefined) return winner;
  const hash = createHash('sha256').update(split).update('\0').update(subscriberId).digest();
  let left = (hash.readUIntBE(0, 6) / RANGE) * 100;
  for (const { name, share } of arms) {
    if (left < share) return name;
    left -= share;
  }
  // Shares such as 33.3 leave a rest.
  return arms.findLast(({ share }) => share > 0)?.name ?? '';
}
