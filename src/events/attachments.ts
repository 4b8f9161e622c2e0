import { CHANNELS } from '#libs/channels';
import type { NewAttachment } from '../delivery/index.js';

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const MAX_FILES = 50;

type Payload = Readonly<Record<string, unknown>>;

/** The files of a payload, and the payload without their bytes. */
export interface TakenAttachments {
  readonly payload: Payload;
  readonly files: readonly NewAttachment[];
  /** Each begins with its path. */
  readonly faults: readonly string[];
}

/** Takes the files out of `payload.attachments`: they are stored once, apart from the event. */
export function takeAttachments(payload: Payload): TakenAttachments {
  const { attachments } = payload;
  if (!Array.isArray(attachments) || !attachments.some(hasFile)) return { payload, files: [], faults: [] };
  if (attachments.length > MAX_FILES) {
    return { payload, files: [], faults: [`payload.attachments must not have more than ${MAX_FILES} entries`] };
  }
  const faults: string[] = [];
  const files = attachments.flatMap((entry: unknown, place) => read(entry, `payload.attachments.${place}`, faults));
  const rest = attachments.map((entry: unknown) => withoutFile(entry));
  return { payload: { ...payload, attachments: rest }, files, faults };
}

function read(entry: unknown, path: string, faults: string[]): NewAttachment[] {
  if (!hasFile(entry)) return [];
  const { name, mime, file, channels } = entry;
  const before = faults.length;
  if (typeof name !== 'string' || name === '') faults.push(`${path}.name must be a string`);
  if (typeof mime !== 'string' || mime === '') faults.push(`${path}.mime must be a string`);
  if (typeof file !== 'string' || !BASE64.test(file.replace(/\s+/g, ''))) faults.push(`${path}.file must be base64`);
  if (channels !== undefined && channels !== null && !areChannels(channels)) {
    faults.push(`${path}.channels must be a list of ${CHANNELS.join(', ')}`);
  }
  if (faults.length > before) return [];
  return [
    {
      name: name as string,
      mime: mime as string,
      content: Buffer.from(file as string, 'base64'),
      ...(Array.isArray(channels) && { channels: channels as string[] }),
    },
  ];
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
