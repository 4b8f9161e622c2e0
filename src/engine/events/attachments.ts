import { CHANNELS } from '#libs/channels';
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
  if (typeof name !== 'string' || typeof mime !== 'string' || content === undefined) return [];
  return [{ name, mime, content, ...(Array.isArray(channels) && { channels: channels as string[] }) }];
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
