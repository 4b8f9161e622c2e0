import { defineError } from './define-error.js';

const MAX_FAULTS = 100;
const MAX_FAULT_LENGTH = 500;

/** Each fault begins with the path of its field. Limited to 100, so that the response to a hostile body stays small. */
export const ValidationFailed = defineError(400, 'validation_failed', (faults: readonly string[]) => limited(faults), [
  ['name must be a string'],
]);

export const NothingToUpdate = defineError(
  400,
  'nothing_to_update',
  'The body contains no field that can be changed. Send at least one.',
);

export const UnreadablePath = defineError(
  400,
  'bad_request',
  'The path of the request has a percent-encoding that is not valid.',
);

export const RouteNotFound = defineError(
  404,
  'route_not_found',
  (method: string, path: string) => `There is no route ${method} ${path}. The routes are listed at /api.`,
);

export const MethodNotAllowed = defineError(
  405,
  'method_not_allowed',
  (method: string, path: string, allowed: string) => `${path} takes ${allowed}, not ${method}.`,
);

export const DuplicateHost = defineError(
  400,
  'malformed_request',
  'The request has more than one Host header. Send exactly one.',
);

function limited(faults: readonly string[]): string[] {
  const shown = faults
    .slice(0, MAX_FAULTS)
    .map((fault) => (fault.length > MAX_FAULT_LENGTH ? `${fault.slice(0, MAX_FAULT_LENGTH)}…` : fault));
  const more = faults.length - shown.length;
  return more > 0 ? [...shown, `${more} further faults are not shown`] : shown;
}
