/** Headers that a field of the override sets; as headers they would be there twice, or be dropped. */
const FIELD_OF: ReadonlyMap<string, string> = new Map([
  ['from', 'from'],
  ['to', 'to'],
  ['cc', 'cc'],
  ['bcc', 'bcc'],
  ['subject', 'subject'],
]);
/** Headers that describe how the message is composed, signed and carried. */
const RESERVED =
  /^(content-(type|transfer-encoding|disposition|id)|mime-version|message-id|dkim-signature|arc-.*|authentication-results|received|return-path)$/i;
/** The name of a field (RFC 5322). */
const NAME = /^[\x21-\x39\x3b-\x7e]+$/;

/** Why a name cannot be that of an additional header; undefined if it can. */
export function headerNameFault(name: string): string | undefined {
  if (!NAME.test(name)) return 'must have a name of letters, digits and other visible ASCII characters except a colon';
  if (RESERVED.test(name)) return 'is set by Herald and cannot be overridden';
  const field = FIELD_OF.get(name.toLowerCase());
  return field === undefined ? undefined : `is not allowed: use the field ${field} of the override`;
}
