import type { Portions } from '#libs/worker-pool';

const MAX_ENTRIES = 100;
const BYTES_PER_TURN = 50_000;
const TRIGGERS = /^\/v1\/events(\/|$)/i;

/**
 * Node clients send `file` as `{type: 'Buffer', data: [104, 105]}`. Converted to base64 right after parsing: checking
 * and copying millions of numbers later would block the event loop.
 */
export function* readBufferFiles({ path }: { readonly path: string }, body: unknown): Portions<void> {
  if (!TRIGGERS.test(path)) return;
  for (const trigger of [[body], listOf(fieldOf(body, 'events'))].flat()) {
    for (const holder of [fieldOf(trigger, 'payload'), fieldOf(fieldOf(trigger, 'overrides'), 'email')]) {
      for (const entry of listOf(fieldOf(holder, 'attachments'))) {
        const bytes = yield* bytesOf(fieldOf(entry, 'file'));
        if (bytes !== undefined) (entry as { file: unknown }).file = bytes.toString('base64');
      }
    }
  }
}

function* bytesOf(file: unknown): Portions<Buffer | undefined> {
  const data = fieldOf(file, 'data');
  if (fieldOf(file, 'type') !== 'Buffer' || !Array.isArray(data)) return undefined;
  const bytes = Buffer.allocUnsafe(data.length);
  for (let at = 0; at < data.length; at++) {
    const byte: unknown = data[at];
    if (!isByte(byte)) return undefined;
    bytes[at] = byte;
    if (at % BYTES_PER_TURN === BYTES_PER_TURN - 1) yield;
  }
  return bytes;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Longer lists are rejected later. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) && value.length <= MAX_ENTRIES ? value : [];
}

function isByte(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}
