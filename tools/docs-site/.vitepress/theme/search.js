/** What maintainers read comes after what users read. */
const LATER =
  /^\/docs\/(adr\/|changelog|compatibility|performance|architecture|testing|releasing|contributing|adding-)/;

/** Pages that answer a question come before tables. */
const REFERENCE = /^\/docs\/(reference\/|settings|manual\/limits|errors|providers\/|manual\/security-model)/;

/** @param id address of the section */
export function boostDocument(id) {
  if (LATER.test(id)) return 0.2;
  return REFERENCE.test(id) ? 0.5 : 1;
}

/** Words of questions that say nothing about what is asked. */
const SAID_BY_ALL = new Set(
  'a an and are as at be by can do does for from get has have how i in is it its me my not of on or our the them there to want we what when where which who why will with you your'.split(
    ' ',
  ),
);

/** @param term of what is searched for @returns null: it is left out */
export function processTerm(term) {
  const word = term.toLowerCase();
  return SAID_BY_ALL.has(word) ? null : word;
}
