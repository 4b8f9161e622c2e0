import { mongo } from 'mongoose';
import { findProvider } from '#libs/channels';
import { parseTemplate } from '#libs/templates';
import { isObject, type RawObject } from '#libs/validation';
import { HOSTED_DEMOS } from '../../../../src/channels/integrations/index.js';

export type Row = mongo.Document & { readonly _id: mongo.ObjectId };

const CHANNELS = ['email', 'sms', 'in_app', 'chat', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];

/** What a record becomes. */
export interface Taken {
  readonly record: Row;
  /** What it lacks, or has in another form. */
  readonly changes?: readonly string[];
}

/** Why a record is not taken over. */
export class LeftOut extends Error {}

/** What all records of a tenant have. */
export function ownFields(row: Row): Row {
  const { _id, _organizationId, _environmentId } = row;
  return { _id, _organizationId, _environmentId, ...timesOf(row), deleted: false, __v: 0 };
}

export function timesOf(row: Row): { createdAt: Date; updatedAt: Date } {
  const createdAt = dateOf(row['createdAt']) ?? row._id.getTimestamp();
  return { createdAt, updatedAt: dateOf(row['updatedAt']) ?? createdAt };
}

function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  const read = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined;
  return read && !Number.isNaN(read.getTime()) ? read : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Those members that are there. */
export function given<T extends object>(fields: T): Partial<T> {
  const there = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(there) as Partial<T>;
}

export function needed(value: unknown, what: string): string {
  const text = textOf(value);
  if (text === undefined) throw new LeftOut(`it has no ${what}`);
  return text;
}

export function switchesOf(value: unknown): Record<Channel, boolean> {
  const own = isObject(value) ? value : {};
  return Object.fromEntries(CHANNELS.map((channel) => [channel, own[channel] !== false])) as Record<Channel, boolean>;
}

export function groupOf(row: Row): Taken {
  return {
    record: {
      ...ownFields(row),
      name: needed(row['name'], 'name'),
      ...given({ _parentId: row['_parentId'] as unknown }),
    },
  };
}

export function feedOf(row: Row): Taken {
  const name = needed(row['name'], 'name');
  return { record: { ...ownFields(row), name, identifier: textOf(row['identifier']) ?? row._id.toHexString() } };
}

export function tenantOf(row: Row): Taken {
  if (row['contextType'] !== undefined) {
    throw new LeftOut(
      `it is a context of the type '${String(row['contextType'])}'; Herald has those of the type 'tenant'`,
    );
  }
  const identifier = needed(row['identifier'], 'identifier');
  const name = textOf(row['name']) ?? identifier;
  return { record: { ...ownFields(row), identifier, name, ...given({ data: row['data'] as unknown }) } };
}

export function topicOf(row: Row): Taken {
  const key = needed(row['key'], 'key');
  return { record: { ...ownFields(row), key, name: textOf(row['name']) ?? key } };
}

export function memberOf(row: Row): Taken {
  const externalSubscriberId = needed(row['externalSubscriberId'], 'externalSubscriberId');
  const { _topicId, _subscriberId } = row;
  if (!_topicId || !_subscriberId) throw new LeftOut('it has no topic or no subscriber');
  return { record: { ...ownFields(row), _topicId, _subscriberId, externalSubscriberId } };
}

export function overrideOf(row: Row): Taken {
  const { _workflowId, _tenantId, active, preferenceSettings } = row;
  const own = given({ active: active as unknown, preferenceSettings: preferenceSettings as unknown });
  return { record: { ...ownFields(row), _workflowId, _tenantId, ...own } };
}

const BODY = /\{\{\{\s*body\s*\}\}\}/;

/** As the newer editor names the body. */
const NEW_BODY = /\{\{\s*content\s*\}\}/g;
/** What its language has and that of layouts has not. */
const LIQUID = /\{%|\{\{[^{}|]*\|/;

/** @param controls what the newer editor wrote */
export function layoutOf(row: Row, controls?: RawObject): Taken {
  const { variables } = row as RawObject;
  const newer = isObject(controls?.['email']) ? controls['email']['body'] : undefined;
  const written = textOf(row['content']) ?? textOf(newer);
  const isNew = typeof written === 'string' && !BODY.test(written) && !LIQUID.test(written);
  const content = isNew ? written.replace(NEW_BODY, '{{{body}}}') : written;
  if (typeof content !== 'string' || !BODY.test(content)) {
    throw new LeftOut('it has no {{{body}}}, or more of Liquid than {{content}}; make it again, in HTML');
  }
  const parsed = parseTemplate(content);
  if (!parsed.ok) throw new LeftOut(`its content is not a valid template: ${parsed.message}`);
  const name = needed(row['name'], 'name');
  return {
    record: {
      ...ownFields(row),
      name,
      identifier: textOf(row['identifier']) ?? row._id.toHexString(),
      ...given({ description: textOf(row['description']) }),
      content,
      variables: variablesOf(variables),
      isDefault: row['isDefault'] === true,
      _creatorId: (row['_creatorId'] as unknown) ?? row._id,
    },
  };
}

/** Without ids. */
export function variablesOf(value: unknown): object[] {
  return (Array.isArray(value) ? (value as unknown[]) : [])
    .filter(isObject)
    .map(({ name, type, required, defaultValue }) => given({ name, type, required, defaultValue }));
}

interface FoundIntegration {
  readonly row: Row;
  /** @throws {Unreadable} */
  readonly open: (value: string) => string;
  readonly seal: (credentials: string, id: mongo.ObjectId, environmentId: mongo.ObjectId) => string;
}

export function integrationOf({ row, open, seal }: FoundIntegration): Taken {
  const { providerId, channel } = row as { providerId?: unknown; channel?: unknown };
  const provider = findProvider(String(providerId), channel as Channel);
  if (provider === undefined || HOSTED_DEMOS.has(provider.id)) {
    throw new LeftOut(
      `Herald has no provider '${String(providerId)}' for ${String(channel)}; create an integration of another one`,
    );
  }
  const credentials = isObject(row['credentials']) ? row['credentials'] : {};
  const opened = Object.entries(credentials).flatMap(([key, value]) =>
    value === undefined || value === null || value === '' ? [] : [[key, openedIn(value, open)] as const],
  );
  const identifier = textOf(row['identifier']) ?? `${String(providerId)}-${row._id.toHexString().slice(-6)}`;
  const environmentId = row['_environmentId'] as mongo.ObjectId;
  return {
    record: {
      ...ownFields(row),
      name: textOf(row['name']) ?? identifier,
      identifier,
      providerId: String(providerId),
      channel: String(channel),
      active: row['active'] === true,
      conditions: withoutIds(row['conditions']),
      ...(opened.length > 0 && {
        sealedCredentials: seal(JSON.stringify(Object.fromEntries(opened)), row._id, environmentId),
      }),
    },
  };
}

function openedIn(value: unknown, open: (text: string) => string): unknown {
  if (typeof value === 'string') return open(value);
  if (Array.isArray(value)) return value.map((entry) => openedIn(entry, open));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, openedIn(entry, open)]));
}

/** Groups of conditions, as Herald stores them. */
export function withoutIds(value: unknown): object[] {
  const strip = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(strip);
    if (!isObject(one) || one instanceof Date || one instanceof mongo.ObjectId) return one;
    return Object.fromEntries(
      Object.entries(one).flatMap(([key, inner]) => (key === '_id' ? [] : [[key, strip(inner)]])),
    );
  };
  return (Array.isArray(value) ? (value as unknown[]) : []).filter(isObject).map((group) => strip(group) as object);
}

/** Of the older and of the newer form; undefined for what says nothing of a person. */
export function preferenceOf(row: Row): Taken | undefined {
  const { _subscriberId, _templateId, level, type, preferences } = row;
  if (!_subscriberId) return undefined;
  const isGlobal = level === 'global' || type === 'SUBSCRIBER_GLOBAL';
  if (!isGlobal && !_templateId) return undefined;
  const newer = isObject(preferences) ? preferences : undefined;
  const all = newer === undefined ? undefined : (newer['all'] ?? newer['workflow']);
  const enabled = newer === undefined ? (row['enabled'] as unknown) : isOn(all);
  const channels = newer === undefined ? (row['channels'] as unknown) : newer['channels'];
  const shown = isObject(channels)
    ? Object.fromEntries(CHANNELS.map((channel) => [channel, isOn(channels[channel]) !== false]))
    : undefined;
  return {
    record: {
      ...ownFields(row),
      _subscriberId,
      _templateId: isGlobal ? null : _templateId,
      ...given({ enabled, channels: shown }),
    },
  };
}

function isOn(value: unknown): unknown {
  return isObject(value) ? (value['enabled'] ?? value['defaultValue']) : value;
}

const MESSAGE_FIELDS = [
  ...['_templateId', '_messageTemplateId', '_notificationId', '_jobId', '_subscriberId', '_feedId', '_actorId'],
  ...['templateIdentifier', 'transactionId', 'channel', 'content', 'subject', 'title', 'email', 'phone', 'providerId'],
  ...['directWebhookUrl', 'deviceTokens', 'cta', 'lastSeenDate', 'lastReadDate', 'status', 'errorId', 'errorText'],
  ...['identifier', 'payload', 'data', 'overrides', 'actor', 'tags', 'severity', 'avatar', 'snoozedUntil'],
] as const;
const REQUIRED_IDS = ['_templateId', '_notificationId', '_jobId', '_subscriberId'] as const;

export function messageOf(row: Row, keptDays: number): Taken {
  const missing = REQUIRED_IDS.find((name) => !row[name]);
  if (missing !== undefined) throw new LeftOut(`it has no ${missing}`);
  const { createdAt } = timesOf(row);
  const fields = Object.fromEntries(MESSAGE_FIELDS.map((name) => [name, row[name] as unknown]));
  const archivedAt = dateOf(row['archivedAt']);
  return {
    record: {
      ...ownFields(row),
      ...given(fields),
      transactionId: textOf(row['transactionId']) ?? row._id.toHexString(),
      status: textOf(row['status']) ?? 'sent',
      seen: row['seen'] === true,
      read: row['read'] === true,
      archived: row['archived'] === true || archivedAt !== undefined,
      ...given({ archivedAt, wakeAt: dateOf(row['snoozedUntil']) }),
      ...(keptDays > 0 && { expireAt: new Date(createdAt.getTime() + keptDays * 86_400_000) }),
    },
  };
}

/** The API masks secrets: an integration that needs some is not active before it has them. */
export function withoutSecrets({ record: { sealedCredentials: _, ...record } }: Taken): Taken {
  if (record['channel'] === 'in_app') return { record: record };
  return {
    record: { ...record, active: false },
    changes: ['its credentials are not in the API, so it is inactive; set them, and activate it'],
  };
}

export function nameOf(row: Row): string | undefined {
  return ['subscriberId', 'identifier', 'key', 'locale', 'name']
    .map((field) => textOf(row[field]))
    .find((name) => name);
}
