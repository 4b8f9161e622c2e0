import { defineError } from './define-error.js';

const MAX_FAULTS = 100;
const MAX_FAULT_LENGTH = 500;

/**
 * 400 with every fault, each beginning with the path of its field. Only the first 100 faults are reported, so that the
 * answer to a hostile body is not as large as the body.
 */
export const ValidationFailed = defineError(400, 'validation_failed', (faults: readonly string[]) => limited(faults));

export const NothingToUpdate = defineError(
  400,
  'nothing_to_update',
  'The body contains no field that can be changed. Send at least one.',
);

function limited(faults: readonly string[]): string[] {
  const shown = faults
    .slice(0, MAX_FAULTS)
    .map((fault) => (fault.length > MAX_FAULT_LENGTH ? `${fault.slice(0, MAX_FAULT_LENGTH)}…` : fault));
  const more = faults.length - shown.length;
  return more > 0 ? [...shown, `${more} further faults are not shown`] : shown;
}
