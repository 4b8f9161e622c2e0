import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

/** How often messages lacked a translation. */
@Schema({ collection: 'missingTranslations', timestamps: true })
export class MissingTranslation extends TenantRecord {
  @Prop({ type: String, required: true })
  locale: string;

  @Prop({ type: String, required: true })
  key: string;

  @Prop({ type: Number, required: true })
  count: number;

  @Prop({ type: Date, required: true })
  lastAt: Date;

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const MissingTranslationSchema = defineSchema(MissingTranslation);
// the report, and how many there are
MissingTranslationSchema.index({ _environmentId: 1, deleted: 1, lastAt: -1 });
MissingTranslationSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });
