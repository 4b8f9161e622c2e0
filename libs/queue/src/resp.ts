/** A value of the Redis protocol (RESP 2), as far as wake-ups meet it. */
export type RespValue = string | number | null | RespError | RespValue[];

/** An answer that begins with `-`. */
export class RespError extends Error {}

const CRLF = '\r\n';

/** A command as the protocol wants it. */
export function encodeCommand(parts: readonly string[]): string {
  return `*${parts.length}${CRLF}${parts.map((part) => `$${Buffer.byteLength(part)}${CRLF}${part}${CRLF}`).join('')}`;
}

/** Takes bytes as they come and gives whole values. */
export class RespReader {
  private pending = Buffer.alloc(0);

  /** @returns the values that are complete now */
  push(chunk: Buffer): RespValue[] {
    this.pending = Buffer.concat([this.pending, chunk]);
    const values: RespValue[] = [];
    for (;;) {
      const read = readValue(this.pending, 0);
      if (read === undefined) return values;
      values.push(read.value);
      this.pending = this.pending.subarray(read.end);
    }
  }
}

interface Read {
  readonly value: RespValue;
  readonly end: number;
}

/** @returns undefined while bytes are missing */
function readValue(bytes: Buffer, start: number): Read | undefined {
  const lineEnd = bytes.indexOf(CRLF, start);
  if (lineEnd < 0) return undefined;
  const kind = String.fromCharCode(bytes[start] ?? 0);
  const text = bytes.toString('utf8', start + 1, lineEnd);
  const end = lineEnd + CRLF.length;
  if (kind === '+') return { value: text, end };
  if (kind === '-') return { value: new RespError(text), end };
  if (kind === ':') return { value: Number(text), end };
  if (kind === '$') return readBulk(bytes, end, Number(text));
  if (kind === '*') return readArray(bytes, end, Number(text));
  throw new RespError(`The server does not speak the Redis protocol: '${kind}${text.slice(0, 40)}'.`);
}

function readBulk(bytes: Buffer, start: number, length: number): Read | undefined {
  if (length < 0) return { value: null, end: start };
  const end = start + length + CRLF.length;
  return bytes.length < end ? undefined : { value: bytes.toString('utf8', start, start + length), end };
}

function readArray(bytes: Buffer, start: number, length: number): Read | undefined {
  if (length < 0) return { value: null, end: start };
  const value: RespValue[] = [];
  let end = start;
  for (let place = 0; place < length; place += 1) {
    const read = readValue(bytes, end);
    if (read === undefined) return undefined;
    value.push(read.value);
    end = read.end;
  }
  return { value, end };
}
