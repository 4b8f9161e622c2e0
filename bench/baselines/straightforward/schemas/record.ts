import { Prop } from '@nestjs/mongoose';
import { Schema, Types } from 'mongoose';

/** Fields that all records of a tenant have. */
export class TenantRecord {
  _id: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  _environmentId: Types.ObjectId;

  @Prop({ type: Schema.Types.ObjectId, required: true })
  _organizationId: Types.ObjectId;

  @Prop({ type: Boolean, default: false })
  deleted: boolean;
}
