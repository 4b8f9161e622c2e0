import type { Request } from 'express';

const MOST_ENTRIES = 100;
const TRIGGERS = /^\/v1\/events(\/|$)/i;

/** Bytes, the way that Node writes a Buffer into JSON. */
interface BufferJson {
  readonly type: 'Buffer';
  readonly data: number[];
}

/**
 * Node clients send the `file` of an attachment as `{type: 'Buffer', data: [104, 105]}`. It becomes base64 as soon as the
 * body is parsed: millions of numbers, each checked, copied and written again on the way, would hold up everybody.
 */
export function readBufferFiles({ path, body }: Pick<Request, 'path'> & { body?: unknown }): void {
  if (!TRIGGERS.test(path)) return;
  for (const trigger of [[body], listOf(fieldOf(body, 'events'))].flat()) {
    for (const holder of [fieldOf(trigger, 'payload'), fieldOf(fieldOf(trigger, 'overrides'), 'email')]) {
      for (const entry of listOf(fieldOf(holder, 'attachments'))) {
        const file = fieldOf(entry, 'file');
        if (isBufferJson(file)) (entry as { file: unknown }).file = Buffer.from(file.data).toString('base64');
      }
    }
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Longer lists than a request may have are refused later; there is no need to go through them. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length <= MOST_ENTRIES ? value : [];
}

function isBufferJson(value: unknown): value is BufferJson {
  const data = fieldOf(value, 'data');
  return fieldOf(value, 'type') === 'Buffer' && Array.isArray(data) && data.every(isByte);
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}
