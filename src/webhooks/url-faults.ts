const MAX_LENGTH = 2_048;

/** What is wrong with the form of an endpoint's address, each text with its path. Where it leads is checked at sending. */
export function urlFaults(value: unknown, path: string): string[] {
  if (typeof value !== 'string' || !URL.canParse(value)) return [`${path} must be an http or https URL`];
  if (value.length > MAX_LENGTH) return [`${path} must be shorter than or equal to ${MAX_LENGTH} characters`];
  const { protocol, username, password } = new URL(value);
  if (protocol !== 'http:' && protocol !== 'https:') return [`${path} must be an http or https URL`];
  if (username !== '' || password !== '') return [`${path} must not hold a user name or password`];
  return [];
}
