import { defineError } from './define-error.js';

const MOST_FAULTS = 100;
const LONGEST_FAULT = 500;

/**
 * 400 with every fault, each beginning with the path of its field. Of masses the first hundred are told, so that the
 * answer to a hostile body is not as large as the body.
 */
export const ValidationFailed = defineError(400, 'validation_failed', (faults: readonly string[]) => told(faults));

export const NothingToUpdate = defineError(
  400,
  'nothing_to_update',
  'The body names nothing that can be changed. Send at least one field.',
);

function told(faults: readonly string[]): string[] {
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map((fault) => (fault.length > LONGEST_FAULT ? `${fault.slice(0, LONGEST_FAULT)}…` : fault));
  const more = faults.length - shown.length;
  return more > 0 ? [...shown, `${more} further faults are not shown`] : shown;
}
