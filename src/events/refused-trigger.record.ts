import { Schema, type Types } from 'mongoose';
import type { TriggerStatus } from './event.response.js';

/** Why nothing is done for a trigger that was acknowledged, for those who look for it later. */
export interface Refusal {
  readonly status: Exclude<TriggerStatus, 'processed'>;
  /** For people. */
  readonly reason: string;
  /** Identifier of the workflow, as the trigger names it. */
  readonly name?: string;
  readonly workflowId?: string;
  /** Identifier of the tenant, as the trigger names it. */
  readonly tenant?: string;
  /** The override that switched the workflow off. */
  readonly overrideId?: string;
  /** Of `error`: what was wrong. */
  readonly error?: readonly string[];
}

/** The last refusal of a transaction id. Its payload is not kept. */
export interface RefusedTriggerRecord extends Refusal {
  _id: Types.ObjectId;
  _organizationId: Types.ObjectId;
  _environmentId: Types.ObjectId;
  transactionId: string;
  /** How often it was refused. */
  times: number;
  createdAt: Date;
  updatedAt: Date;
  expireAt?: Date;
}

export const REFUSED_TRIGGER_MODEL = 'RefusedTrigger';

export const RefusedTriggerSchema = new Schema(
  {},
  { collection: 'refusedTriggers', strict: false, versionKey: false, timestamps: false },
);
// one for each transaction; looking it up
RefusedTriggerSchema.index({ _environmentId: 1, transactionId: 1 }, { unique: true });
// retention
RefusedTriggerSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
