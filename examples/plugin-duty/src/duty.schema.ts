import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from 'herald/plugin';

@Schema({ collection: 'exampleDuties', timestamps: true })
export class Duty extends TenantRecord {
  @Prop({ type: String, required: true })
  team: string;

  /** Of the subscriber who is on duty. */
  @Prop({ type: String, required: true })
  subscriberId: string;

  @Prop({ type: String, required: true })
  reason: string;
}

export const DutySchema = defineSchema(Duty);
DutySchema.index({ _environmentId: 1, team: 1 }, { unique: true });
