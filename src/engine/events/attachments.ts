import { ATTACHMENT_DISPOSITIONS, type AttachmentDisposition, CHANNELS } from '#libs/channels';
import type { Portions } from '#libs/worker-pool';
import type { NewAttachment } from '../delivery/index.js';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const MAX_FILES = 50;

type Payload = Readonly<Record<string, unknown>>;

export interface TakenAttachments extends TakenFiles {
  readonly payload: Payload;
}

interface TakenFiles {
  readonly files: readonly NewAttachment[];
  readonly faults: readonly string[];
}

/** Files are stored once, apart from the event. */
export function takeAttachments(payload: Payload): TakenAttachments {
  const { attachments } = payload;
  if (!Array.isArray(attachments) || !attachments.some(hasFile)) return { payload, files: [], faults: [] };
  const { rest, ...taken } = take(attachments, 'payload.attachments');
  return { payload: { ...payload, attachments: rest }, ...taken };
}

/**
 * For emails only, in addition to those of the payload. Unlike the payload's key, this one has no other meaning, so an
 * entry that is not a file is a fault.
 */
export function takeOverrideAttachments(overrides: Payload): TakenFiles & { readonly overrides: Payload } {
  const email = (overrides['email'] ?? {}) as Payload;
  const { attachments } = email;
  if (attachments === undefined || attachments === null) return { overrides, files: [], faults: [] };
  const path = 'overrides.email.attachments';
  if (!Array.isArray(attachments)) return { overrides, files: [], faults: [`${path} must be a list of files`] };
  const { rest, files, faults } = take(attachments, path);
  const strays = attachments.flatMap((entry: unknown, place) =>
    hasFile(entry) ? [] : [`${path}.${place} must be an object with a file`],
  );
  return {
    overrides: { ...overrides, email: { ...email, attachments: rest } },
    files: files.map((file) => ({ channels: ['email'], ...file })),
    faults: [...faults, ...strays],
  };
}

function take(attachments: readonly unknown[], path: string): TakenFiles & { readonly rest: readonly unknown[] } {
  if (attachments.length > MAX_FILES) {
    return { rest: [], files: [], faults: [`${path} must not have more than ${MAX_FILES} entries`] };
  }
  const faults: string[] = [];
  const files = attachments.flatMap((entry, place) => read(entry, place, path, faults));
  return { rest: attachments.map(withoutFile), files, faults };
}

function read(entry: unknown, place: number, list: string, faults: string[]): NewAttachment[] {
  if (!hasFile(entry)) return [];
  const path = `${list}.${place}`;
  const name = entry['name'] || `attachment-${place + 1}`;
  const mime = entry['mime'] || 'application/octet-stream';
  const { channels } = entry;
  const content = contentOf(entry['file']);
  if (typeof name !== 'string') faults.push(`${path}.name must be a string`);
  if (typeof mime !== 'string') faults.push(`${path}.mime must be a string`);
  if (content === undefined) faults.push(`${path}.file must be base64, or a Buffer as Node writes it in JSON`);
  if (channels !== undefined && channels !== null && !areChannels(channels)) {
    faults.push(`${path}.channels must be a list of ${CHANNELS.join(', ')}`);
  }
  const inMail = placeInMail(entry, path, faults);
  if (typeof name !== 'string' || typeof mime !== 'string' || content === undefined) return [];
  return [{ name, mime, content, ...(Array.isArray(channels) && { channels: channels as string[] }), ...inMail }];
}

/** Nothing that ends or splits a header, or the address in HTML. */
const CONTENT_ID = /^[^\s<>"'\p{Cc}]{1,255}$/u;

function placeInMail(
  { cid, disposition }: Record<string, unknown>,
  path: string,
  faults: string[],
): Pick<NewAttachment, 'cid' | 'disposition'> {
  const hasId = cid !== undefined && cid !== null && cid !== '';
  const id = typeof cid === 'string' && CONTENT_ID.test(cid) ? cid : undefined;
  if (hasId && id === undefined) {
    faults.push(`${path}.cid must be a content id without blanks, quotes and angle brackets, such as logo`);
  }
  const isPlaced = disposition !== undefined && disposition !== null && disposition !== '';
  if (isPlaced && !(ATTACHMENT_DISPOSITIONS as readonly unknown[]).includes(disposition)) {
    faults.push(`${path}.disposition must be one of ${ATTACHMENT_DISPOSITIONS.join(', ')}`);
  }
  return {
    ...(id !== undefined && { cid: id }),
    ...(isPlaced && { disposition: disposition as AttachmentDisposition }),
  };
}

function contentOf(file: unknown): Buffer | undefined {
  if (typeof file !== 'string' || !BASE64.test(file.replace(/\s+/g, ''))) return undefined;
  return Buffer.from(file, 'base64');
}

function areChannels(value: unknown): boolean {
  return Array.isArray(value) && value.every((channel) => (CHANNELS as readonly unknown[]).includes(channel));
}

function hasFile(entry: unknown): entry is Record<string, unknown> {
  return typeof entry === 'object' && entry !== null && Object.hasOwn(entry, 'file');
}

function withoutFile(entry: unknown): unknown {
  if (!hasFile(entry)) return entry;
  const rest = { ...entry };
  delete rest['file'];
  return rest;
}

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
