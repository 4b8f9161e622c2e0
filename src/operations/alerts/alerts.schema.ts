import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { KeyScope } from '#libs/common';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';

/** What begins and ends. */
export const INCIDENT_KINDS = ['provider', 'failures', 'dead_letters', 'late_work'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

export const ALERT_KINDS = [...INCIDENT_KINDS, 'daily_report'] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** Values that the workflow can show. */
export type AlertFacts = Readonly<Record<string, string | number>>;

/** Something that is wrong. */
export interface Incident {
  /** The kind, and of a provider its integration. */
  readonly about: string;
  readonly kind: IncidentKind;
  readonly since: Date;
  readonly facts: AlertFacts;
}

/** An event that is to be triggered. Whoever repeats it triggers the same one, which is accepted once. */
export interface Alert {
  readonly transactionId: string;
  readonly workflow: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const { Mixed } = MongooseSchema.Types;

/** The alerts of an environment: what its team has chosen, what is wrong now, and what has still to be told. */
@Schema({ collection: 'alerts', timestamps: true, minimize: false })
export class Alerts extends TenantRecord {
  @Prop({ type: Boolean, required: true })
  isOn: boolean;

  @Prop({ type: [String], required: true })
  kinds: AlertKind[];

  /** Key of the topic whose members are told. */
  @Prop({ type: String, required: true })
  topic: string;

  @Prop({ type: Number, required: true })
  failurePercent: number;

  @Prop({ type: Number, required: true })
  lateMinutes: number;

  /** Time of day of the report. */
  @Prop({ type: String, required: true })
  reportAt: string;

  @Prop({ type: String, required: true })
  timezone: string;

  /** Whose rights the events have: who changed the settings last. */
  @Prop({ type: Mixed, required: true })
  by: { readonly apiKeyId: string; readonly userId: string; readonly scopes: readonly KeyScope[] };

  @Prop({ type: [Mixed], required: true })
  open: Incident[];

  /** Stored before it is triggered, so that a process that dies loses nothing. */
  @Prop({ type: [Mixed], required: true })
  unsent: Alert[];

  /** Absent without a daily report. */
  @Prop({ type: Date })
  reportDueAt?: Date;

  @Prop({ type: Date })
  checkedAt?: Date;

  /** Why the last alert was not accepted. */
  @Prop({ type: String })
  fault?: string;

  /** The next check, or the end of a lease. Absent unless on. */
  @Prop({ type: Date })
  wakeAt?: Date;

  /** The worker that holds it until `wakeAt`. */
  @Prop({ type: String })
  lease?: string;
}

/** Of an environment that has chosen nothing. */
export const DEFAULTS = {
  isOn: false,
  kinds: [...ALERT_KINDS],
  topic: 'herald-alerts',
  failurePercent: 20,
  lateMinutes: 5,
  reportAt: '08:00',
  timezone: 'UTC',
} satisfies Partial<Alerts>;

export type AlertSettings = Pick<Alerts, keyof typeof DEFAULTS>;

export const AlertsSchema = defineSchema(Alerts);
export const ALERTS_SHARD_KEY = shardBy(AlertsSchema, '_environmentId');

const waiting = { partialFilterExpression: { wakeAt: { $exists: true } } };
// the only record of an environment
AlertsSchema.index({ _environmentId: 1 }, { unique: true });
// due environments and the next due time; the same per environment, as all queues have it
AlertsSchema.index({ wakeAt: 1 }, waiting);
AlertsSchema.index({ _environmentId: 1, wakeAt: 1 }, waiting);
