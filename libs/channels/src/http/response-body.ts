import { parseForeignJson } from '#libs/common';
import { ProviderError } from '../errors/provider-error.js';
import type { OutboundResponse } from './outbound-http.types.js';

/** Far more than a provider answers about one message. */
export const MAX_ANSWER_BYTES = 1_048_576;

export interface ReadBody {
  readonly text: string;
  readonly isCut: boolean;
}

/** Keeps the chunks of a body up to the limit. */
export class BodyReader {
  private readonly chunks: Buffer[] = [];
  private size = 0;

  /** @returns false beyond the limit: the chunk is not kept, and no other is wanted */
  add(chunk: Buffer): boolean {
    this.size += chunk.length;
    if (this.size > MAX_ANSWER_BYTES) return false;
    this.chunks.push(chunk);
    return true;
  }

  text(): string {
    const [first, ...others] = this.chunks;
    if (first === undefined) return '';
    return (others.length === 0 ? first : Buffer.concat(this.chunks)).toString('utf8');
  }

  tooLarge(): ProviderError {
    return new ProviderError(`The answer is larger than ${MAX_ANSWER_BYTES} bytes.`, {
      code: 'bad_answer',
      retryable: false,
      outcome: 'uncertain',
    });
  }
}

/** Reads a stream; an incomplete body is accepted, because the status decides. */
export async function readBody(body: AsyncIterable<Buffer>): Promise<ReadBody> {
  const reader = new BodyReader();
  let isCut = false;
  try {
    // Leaving the loop early destroys the stream and its connection.
    for await (const chunk of body) {
      isCut = !reader.add(chunk);
      if (isCut) break;
    }
  } catch {
    isCut = true;
  }
  return { text: reader.text(), isCut };
}

export function toResponse(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  { text, isCut }: ReadBody,
): OutboundResponse {
  const flat = Object.entries(headers).map(([name, value]): [string, string] => [
    name.toLowerCase(),
    typeof value === 'string' ? value : [value ?? []].flat().join(', '),
  ]);
  return { status, headers: Object.fromEntries(flat), text, isCut, json: () => parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return parseForeignJson(text);
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

/** Names under which providers that send no `Retry-After` say when a limit ends. */
const RESETS = ['x-ratelimit-reset-after', 'ratelimit-reset', 'x-ratelimit-reset', 'x-sib-ratelimit-reset'];
/** Smaller numbers are seconds from now, greater ones a time: in seconds, or in milliseconds. */
const [FIRST_TIME_S, FIRST_TIME_MS] = [1e9, 1e12];

/** When a limit ends, in milliseconds from now. */
export function limitResetMs(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const value = RESETS.map((name) => headers[name]).find((text) => text !== undefined && text.trim() !== '');
  const number = Number(value ?? Number.NaN);
  if (!Number.isFinite(number)) return undefined;
  if (number < FIRST_TIME_S) return Math.max(0, Math.ceil(number * 1_000));
  return Math.max(0, Math.ceil(number < FIRST_TIME_MS ? number * 1_000 : number) - now.getTime());
}
