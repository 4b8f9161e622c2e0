/** How values begin that Novu has encrypted for its own database. */
export const FOREIGN_SECRET = 'nvsk.';

export const FOREIGN_SECRET_FAULT =
  `is encrypted by Novu (${FOREIGN_SECRET}), so that no provider can use it: send the value itself, ` +
  "or take the database over with 'herald import novu --encryption-key-file'";

/** Where values are that only Novu can read: taken for secrets, they would fail with each message. */
export function foreignSecretsIn(value: unknown): string[][] {
  if (typeof value === 'string') return value.trimStart().startsWith(FOREIGN_SECRET) ? [[]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => foreignSecretsIn(entry).map((path) => [key, ...path]));
}

/** No text repeats a value. */
export function foreignSecretFaults(value: unknown, path: string): string[] {
  return foreignSecretsIn(value).map((place) => `${[path, ...place].join('.')} ${FOREIGN_SECRET_FAULT}`);
}
