import { ProviderError } from '../errors/provider-error.js';
import type { OutboundResponse } from './outbound-http.types.js';

/** Far more than a provider answers about one message. */
export const MAX_ANSWER_BYTES = 1_048_576;

export interface ReadBody {
  readonly text: string;
  readonly isCut: boolean;
}

/** @param isCut accepts an incomplete body, because the status decides */
export async function readBody(body: AsyncIterable<Buffer>, isCut: boolean): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  let isWhole = false;
  try {
    // Leaving the loop early destroys the stream and its connection.
    for await (const chunk of body) {
      size += chunk.length;
      if (size > MAX_ANSWER_BYTES) break;
      chunks.push(chunk);
    }
    isWhole = size <= MAX_ANSWER_BYTES;
  } catch (error) {
    if (!isCut) throw error;
  }
  if (size > MAX_ANSWER_BYTES && !isCut) {
    throw new ProviderError(`The answer is larger than ${MAX_ANSWER_BYTES} bytes.`, {
      code: 'bad_answer',
      retryable: false,
      outcome: 'uncertain',
    });
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isCut: !isWhole };
}

export function toResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { text, isCut }: ReadBody,
): OutboundResponse {
  const flat = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? []].flat().join(', ')]);
  return {
    status,
    headers: Object.fromEntries(flat) as Record<string, string>,
    text,
    isCut,
    json: () => parseJson(text),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** `Retry-After` in milliseconds from now: whole seconds or a date; a date in the past is zero. */
export function retryAfterMs(value: string | undefined, now: Date): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, Math.ceil(seconds * 1_000));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now.getTime());
}
