/** Set by fields of the override: as headers they would be duplicated or dropped. */
const FIELD_OF: ReadonlyMap<string, string> = new Map([
  ['from', 'from'],
  ['to', 'to'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['subject', 'subject'],
]);
/** Headers for composition, signature and transport. */
const RESERVED =
  /^(content-(type|transfer-encoding|disposition|id)|mime-version|message-id|dkim-signature|arc-.*|authentication-results|received|return-path)$/i;
/** RFC 5322 field name. */
const NAME = /^[\x21-\x39\x3b-\x7e]+$/;

/** Undefined if the header may be added. */
export function headerNameFault(name: string): string | undefined {
  if (!NAME.test(name)) return 'must have a name of letters, digits and other visible ASCII characters except a colon';
  if (RESERVED.test(name)) return 'is set by Herald and cannot be overridden';
  const field = FIELD_OF.get(name.toLowerCase());
  return field === undefined ? undefined : `is not allowed: use the field ${field} of the override`;
}
