import { parseForeignForm, parseForeignJson } from '#libs/common';
import { ProviderError } from '../errors/provider-error.js';
import type { CallbackEvent, CallbackRequest, CallbackStatus } from '../core/provider.js';
import { at, textAt } from '../declarative/json-path.js';

function unreadable(): ProviderError {
  return new ProviderError('The body of the callback cannot be read; the provider may use another format.', {
    code: 'bad_answer',
    retryable: false,
  });
}

type RawRequest = Pick<CallbackRequest, 'rawBody'>;

/** @throws {ProviderError} if the body is not JSON */
export function jsonBody({ rawBody }: RawRequest): unknown {
  try {
    return parseForeignJson(rawBody.toString('utf8'));
  } catch {
    throw unreadable();
  }
}

/** For signatures that are part of the body. */
export function jsonOrNothing({ rawBody }: RawRequest): unknown {
  try {
    return parseForeignJson(rawBody.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Empty if it is none. */
export function formBody({ rawBody }: RawRequest): URLSearchParams {
  try {
    return parseForeignForm(rawBody);
  } catch {
    return new URLSearchParams();
  }
}

/** A single event counts as a list of one. */
export function eventList(json: unknown): readonly unknown[] {
  return Array.isArray(json) ? json : [json];
}

/** Reads seconds or milliseconds since 1970, or a date as text. */
function eventTime(value: unknown): Date | undefined {
  if (typeof value === 'number') {
    const date = new Date(value > 1e11 ? value : value * 1_000);
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  if (typeof value !== 'string' || value === '') return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return eventTime(Number(value));
  const time = Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time);
}

export interface EventSpec {
  id: string | ((event: unknown) => string | undefined);
  kind: string;
  /** Unknown kinds are ignored. */
  kinds: Readonly<Record<string, CallbackStatus>>;
  at?: readonly string[];
  recipient?: readonly string[];
  response?: readonly string[];
  hardBounce?: (event: unknown) => boolean;
}

function firstText(event: unknown, paths: readonly string[] = []): string | undefined {
  return paths.map((path) => textAt(event, path)).find((text) => text !== undefined);
}

/** Undefined if the kind is unknown or the event names no message. */
function readEvent(event: unknown, spec: EventSpec): CallbackEvent | undefined {
  const kind = textAt(event, spec.kind);
  const status = kind === undefined || !Object.hasOwn(spec.kinds, kind) ? undefined : spec.kinds[kind];
  const messageIdentifier = typeof spec.id === 'function' ? spec.id(event) : textAt(event, spec.id);
  if (status === undefined || messageIdentifier === undefined) return undefined;
  const time = (spec.at ?? []).map((path) => eventTime(at(event, path))).find((date) => date !== undefined);
  const recipient = firstText(event, spec.recipient);
  const response = firstText(event, spec.response);
  return {
    messageIdentifier,
    status,
    ...(time === undefined ? {} : { at: time }),
    ...(recipient === undefined ? {} : { recipient }),
    ...(response === undefined ? {} : { response }),
    ...(spec.hardBounce?.(event) === true ? { hardBounce: true } : {}),
  };
}

export function readEvents(events: readonly unknown[], spec: EventSpec): CallbackEvent[] {
  return events.map((event) => readEvent(event, spec)).filter((event) => event !== undefined);
}
