import { ProviderError } from '../core/provider-error.js';
import type { OutboundResponse } from './outbound-http.types.js';

/** Most that is read of an answer; nothing that a provider says about one message comes near it. */
export const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Reads an answer's body up to the limit.
 * @param isCut the beginning is enough, because nothing but the status decides
 */
export async function readBody(body: AsyncIterable<Buffer>, isCut: boolean): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop early destroys the stream and with it the connection.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES && isCut) break;
    if (size > MAX_ANSWER_BYTES) {
      throw new ProviderError(`The answer is larger than ${MAX_ANSWER_BYTES} bytes.`, {
        code: 'bad_answer',
        retryable: false,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function toResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  text: string,
): OutboundResponse {
  const flat = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]);
  return { status, headers: Object.fromEntries(flat) as Record<string, string>, text, json: () => parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
