import type { Types } from 'mongoose';
import { derivedObjectId } from '#libs/persistence';
import { expiryOf, type NewDetail } from './detail-batch.js';
import { type DetailSource, type DetailStatus, usualStatusOf } from './detail.enums.js';
import type { ShownBatch } from './execution-detail.response.js';
import type { StoredDetail } from './execution-detail.schema.js';
import { toRawText } from './redact-secrets.js';

/**
 * Stored several times per notification: names are short, and values that follow from the record or the previous entry
 * are omitted.
 */
export interface TrailEntry {
  /** Index of the step. Default: that of the previous entry, or 0. */
  s?: number;
  /** Milliseconds since the record was created. Default: as in the previous entry, or 0. */
  t?: number;
  /** Detail. */
  d: string;
  /** Status. Default: the usual one of the detail. */
  u?: DetailStatus;
  /** Source. Default: Internal. */
  o?: DetailSource;
  /** Channel. Default: the type of the step. */
  c?: string;
  /** Message. */
  m?: Types.ObjectId;
  /** Provider. */
  p?: string;
  /** `raw` as JSON text. */
  r?: string;
  /** Provider's status. */
  w?: string;
  isTest?: true;
  isRetry?: true;
}

export interface TrailRecord {
  readonly _id: Types.ObjectId;
  readonly _organizationId: Types.ObjectId;
  readonly _environmentId: Types.ObjectId;
  readonly _templateId: Types.ObjectId;
  readonly _subscriberId: Types.ObjectId;
  readonly transactionId: string;
  readonly steps: readonly { readonly _id: Types.ObjectId; readonly type: string }[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expireAt?: Date;
  trail?: TrailEntry[];
}

/** Further details go into separate batches, so that the run's record stays small. */
const MAX_TRAIL_LENGTH = 16_000;

/** The caller writes the record. @returns details that do not fit */
export function extendTrail(record: TrailRecord, details: readonly NewDetail[], now: Date): NewDetail[] {
  const trail = record.trail ?? [];
  let room = MAX_TRAIL_LENGTH - trail.reduce((sum, entry) => sum + lengthOf(entry), 0);
  const rest: NewDetail[] = [];
  const last = { ...lastOf(trail) };
  for (const detail of details) {
    const step = record.steps.findIndex(({ _id }) => _id.equals(detail.jobId));
    const entry = toEntry(detail, record.steps[step]?.type);
    // Keep order: once one entry overflows, so do all later ones.
    if (step < 0 || rest.length > 0 || lengthOf(entry) > room) {
      rest.push(detail);
      continue;
    }
    const at = (detail.at ?? now).getTime() - record.createdAt.getTime();
    trail.push({ ...(step !== last.step && { s: step }), ...(at !== last.at && { t: at }), ...entry });
    last.step = step;
    last.at = at;
    room -= lengthOf(entry);
  }
  if (trail.length > 0) record.trail = trail;
  return rest;
}

/** @param days of retention, 0: indefinitely */
export function batchOf(record: TrailRecord, days: number): ShownBatch {
  const { _id, _organizationId, _environmentId, _templateId, _subscriberId, transactionId, updatedAt } = record;
  const expireAt = record.expireAt ?? (days > 0 ? expiryOf(updatedAt, days) : undefined);
  return {
    _id,
    _organizationId,
    _environmentId,
    _notificationId: _id,
    _notificationTemplateId: _templateId,
    _subscriberId,
    transactionId,
    entries: entriesOf(record),
    ...(expireAt && { expireAt }),
    deleted: false,
    __v: 0,
  };
}

function entriesOf({ _id, steps, createdAt, trail = [] }: TrailRecord): StoredDetail[] {
  const last = { step: 0, at: 0 };
  return trail.flatMap(({ s = last.step, t = last.at, d, u, o, c, m, p, r, w, isTest, isRetry }, place) => {
    last.step = s;
    last.at = t;
    const step = steps[s];
    if (step === undefined) return [];
    return {
      _id: derivedObjectId(_id, 'detail', String(place)),
      _jobId: step._id,
      ...(m && { _messageId: m }),
      ...(p !== undefined && { providerId: p }),
      channel: c ?? step.type,
      detail: d,
      source: o ?? 'Internal',
      status: u ?? usualStatusOf(d),
      ...(isTest && { isTest }),
      ...(isRetry && { isRetry }),
      ...(r !== undefined && { raw: r }),
      ...(w !== undefined && { webhookStatus: w }),
      createdAt: new Date(createdAt.getTime() + t),
    };
  });
}

function toEntry(detail: NewDetail, type: string | undefined): TrailEntry {
  const { detail: d, status, source = 'Internal', channel = type, messageId, providerId, raw, webhookStatus } = detail;
  return {
    d,
    ...(status !== undefined && status !== usualStatusOf(d) && { u: status }),
    ...(source !== 'Internal' && { o: source }),
    ...(channel !== undefined && channel !== type && { c: channel }),
    ...(messageId && { m: messageId }),
    ...(providerId !== undefined && { p: providerId }),
    ...(raw !== undefined && { r: toRawText(raw) }),
    ...(webhookStatus !== undefined && { w: webhookStatus }),
    ...(detail.isTest === true && { isTest: true }),
    ...(detail.isRetry === true && { isRetry: true }),
  };
}

function lastOf(trail: readonly TrailEntry[]): { step: number; at: number } {
  return {
    step: trail.findLast(({ s }) => s !== undefined)?.s ?? 0,
    at: trail.findLast(({ t }) => t !== undefined)?.t ?? 0,
  };
}

const BARE_LENGTH = 40;

function lengthOf({ d, r = '' }: TrailEntry): number {
  return BARE_LENGTH + d.length + r.length;
}
