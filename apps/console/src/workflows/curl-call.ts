/**
 * A call for a shell that triggers a workflow. The key is in a variable of the shell, never in the text.
 * @param origin of this Herald
 */
export function curlCall(origin: string, identifier: string, subscriber: object, payload: object): string {
  const body = JSON.stringify({ name: identifier, to: subscriber, payload }, undefined, 2);
  return [
    `curl -X POST ${quoted(`${origin}/v1/events/trigger`)} \\`,
    `  -H "authorization: ApiKey $HERALD_API_KEY" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d ${quoted(body)}`,
  ].join('\n');
}

/** A text that a shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
