import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { TenantRecord } from './record.js';

@Schema({ collection: 'apiKeys', timestamps: true })
export class ApiKey extends TenantRecord {
  @Prop({ type: String, required: true })
  hash: string;
}

export const ApiKeySchema = SchemaFactory.createForClass(ApiKey);
