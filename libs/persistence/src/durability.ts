const NAMES_JOURNAL = /[?&]journal=/i;

/**
 * Options of a connection: every write is answered when it is on disk. A single MongoDB server would answer up to 100 ms earlier, and
 * others would build on writes that it can still lose. `journal` in the connection string wins.
 *
 * @see https://www.mongodb.com/docs/manual/reference/write-concern/
 */
export function durabilityOf(uri: string): { readonly journal?: true } {
  return NAMES_JOURNAL.test(uri) ? {} : { journal: true };
}
