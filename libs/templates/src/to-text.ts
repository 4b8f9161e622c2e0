const MAX_DEPTH = 20;

/** Missing values are empty, lists have commas, objects are `[object Object]`. */
export function toText(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    case 'object':
      return value === null || depth > MAX_DEPTH ? '' : objectToText(value, depth);
    default:
      return '';
  }
}

/** Does not call the object's `toString`, which may be a key of the payload. */
function objectToText(value: object, depth: number): string {
  if (Array.isArray(value)) return value.map((item) => toText(item, depth + 1)).join(',');
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
  return '[object Object]';
}
