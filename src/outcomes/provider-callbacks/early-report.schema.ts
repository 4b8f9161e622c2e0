import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema } from 'mongoose';
import type { CallbackEvent } from '#libs/channels';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';

/** What a provider has reported of a message that is not stored yet, or is none of Herald's. Its `_id` comes from what it says. */
@Schema({ collection: 'earlyReports' })
export class EarlyReport extends TenantRecord {
  @Prop({ type: String, required: true })
  integrationId: string;

  @Prop({ type: MongooseSchema.Types.Mixed })
  event: CallbackEvent;

  /** When the message is looked for next. */
  @Prop({ type: Date, required: true })
  lookAt: Date;

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const EarlyReportSchema = defineSchema(EarlyReport);
shardBy(EarlyReportSchema, '_environmentId');
// those whose time has come, of all environments
EarlyReportSchema.index({ lookAt: 1 });
// how many an environment has
EarlyReportSchema.index({ _environmentId: 1 });
// the message may not be Herald's
EarlyReportSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
