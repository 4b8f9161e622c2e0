/** What maintainers read comes after what users read. */
const LATER =
  /^\/docs\/(adr\/|changelog|compatibility|performance|architecture|testing|releasing|contributing|adding-)/;

/** Pages that answer a question come before tables. */
const REFERENCE = /^\/docs\/(settings|manual\/limits|errors|providers\/|manual\/security-model)/;

/** @param id address of the section */
export function boostDocument(id) {
  if (LATER.test(id)) return 0.2;
  return REFERENCE.test(id) ? 0.5 : 1;
}
