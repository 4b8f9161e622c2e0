export const WARNING_HEADER = 'Herald-Warning';

const MOST_NAMES = 10;
const LONGEST_NAME = 80;

/** Plain text of limited length, whatever callers send. */
export function warningOf(body: readonly string[], query: readonly string[]): string {
  return [
    ...(body.length > 0 ? [`unknown body fields ignored: ${listed(body)}`] : []),
    ...(query.length > 0 ? [`unknown query parameters ignored: ${listed(query)}`] : []),
  ].join('; ');
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map(headerSafe);
  const more = names.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Removes characters that end the header, split its list or are ambiguous. */
function headerSafe(name: string): string {
  const text = name.slice(0, LONGEST_NAME).replace(/[^\w.$@:[\]-]/g, '?');
  return name.length > LONGEST_NAME ? `${text}...` : text;
}

interface Headers {
  getHeader(name: string): unknown;
  header(name: string, value: string): unknown;
}

/** @param instead the route that changes the fields */
export function warnOfUnchanged(response: Headers, fields: readonly string[], instead: string): void {
  warn(response, `body fields that this request does not change: ${listed(fields)}. Use ${instead}`);
}

/** @param text in the characters of a header */
export function warn(response: Headers, text: string): void {
  const before = response.getHeader(WARNING_HEADER);
  response.header(WARNING_HEADER, typeof before === 'string' ? `${before}; ${text}` : text);
}
