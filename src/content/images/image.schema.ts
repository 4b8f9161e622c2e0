import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, shardBy, TenantRecord } from '#libs/persistence';
import type { ImageType } from './image-type.js';

/** A picture of mails. */
@Schema({ collection: 'images', timestamps: true })
export class Image extends TenantRecord {
  @Prop({ type: String, required: true })
  name: string;

  @Prop({ type: String, required: true })
  type: ImageType;

  /** In bytes. */
  @Prop({ type: Number, required: true })
  size: number;

  /** In base64. */
  @Prop({ type: String, required: true })
  data: string;
}

export const ImageSchema = defineSchema(Image);
shardBy(ImageSchema, '_environmentId');
// list, newest first; how many there are
ImageSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
