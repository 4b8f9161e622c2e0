import type { Migration } from '#libs/persistence';

/**
 * The changes of stored records, oldest first. Append to the list only: a store knows which of them it has. See
 * docs/operations.md (Upgrading) and ADR 44.
 */
export const MIGRATIONS: readonly Migration[] = [
  // The records of the first version need no change; from here on a store says which version it has.
  { version: 1, name: 'schema version', run: () => Promise.resolve() },
];
