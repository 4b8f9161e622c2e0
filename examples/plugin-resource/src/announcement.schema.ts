import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord, uniqueWhileAlive } from 'herald/plugin';

@Schema({ collection: 'exampleAnnouncements', timestamps: true })
export class Announcement extends TenantRecord {
  @Prop({ type: String, required: true })
  title: string;

  @Prop({ type: String, required: true })
  text: string;

  @Prop({ type: String, required: true })
  audience: string;
}

export const AnnouncementSchema = defineSchema(Announcement);
// clash check of create
AnnouncementSchema.index({ _environmentId: 1, title: 1 }, uniqueWhileAlive);
// list, newest first
AnnouncementSchema.index({ _environmentId: 1, deleted: 1, createdAt: -1, _id: -1 });
