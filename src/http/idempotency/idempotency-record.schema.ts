import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, shardBy } from '#libs/persistence';
import { SealedField } from '#libs/secrets';

/** A marker while the request is running, its result afterwards. */
@Schema({ collection: 'idempotencyKeys', timestamps: true })
export class IdempotencyRecord extends TenantRecord {
  @Prop({ type: String, required: true })
  scope: string;

  @Prop({ type: String, required: true })
  fingerprint: string;

  @Prop({ type: String, required: true })
  runId: string;

  /** The run then counts as crashed. Absent once there is a result. */
  @Prop({ type: Date })
  runningUntil?: Date;

  /** Sealed JSON, because responses can contain secrets, such as a new API key. */
  @Prop({ type: String })
  sealed?: string;

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const SEALED_RESULT = new SealedField('idempotencyKeys', 'sealed');

export const IdempotencyRecordSchema = defineSchema(IdempotencyRecord);
shardBy(IdempotencyRecordSchema, '_environmentId', 'scope');
// the first request with a key runs, in any process
IdempotencyRecordSchema.index({ _environmentId: 1, scope: 1 }, { unique: true });
// retention: a key can be used again after a day
IdempotencyRecordSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
