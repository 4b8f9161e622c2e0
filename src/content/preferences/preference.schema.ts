import { Prop, Schema } from '@nestjs/mongoose';
import { Schema as MongooseSchema, Types } from 'mongoose';
import { type Channel, CHANNELS } from '#libs/channels';
import { defineSchema, TenantRecord, shardBy } from '#libs/persistence';
import type { WeeklySchedule } from '#libs/schedule';
import type { ChannelSwitches } from './effective-preference.js';

const { Mixed, ObjectId } = MongooseSchema.Types;

/** How a recipient unsubscribed. */
export const UNSUBSCRIBE_WAYS = ['one-click', 'page'] as const;
export type UnsubscribeWay = (typeof UNSUBSCRIBE_WAYS)[number];

/** How a preference is changed. */
export const PREFERENCE_WAYS = [...UNSUBSCRIBE_WAYS, 'inbox', 'api'] as const;
export type PreferenceWay = (typeof PREFERENCE_WAYS)[number];

interface Unsubscription {
  readonly at: Date;
  readonly via: UnsubscribeWay;
}

/** Stores only what was set. */
@Schema({ collection: 'preferences', timestamps: true })
export class Preference extends TenantRecord {
  @Prop({ type: ObjectId, required: true })
  _subscriberId: Types.ObjectId;

  @Prop({ type: ObjectId, default: null })
  _templateId: Types.ObjectId | null;

  @Prop({ type: Boolean })
  enabled?: boolean;

  @Prop({ type: Mixed })
  channels?: ChannelSwitches;

  /** By channel: when the recipient switched it off by a link, in a mail or on the preference page. */
  @Prop({ type: Mixed })
  unsubscribed?: Partial<Record<Channel, Unsubscription>>;

  /** Only in the global preference. */
  @Prop({ type: Mixed })
  schedule?: WeeklySchedule;
}

export const PreferenceSchema = defineSchema(Preference);
shardBy(PreferenceSchema, '_environmentId', '_subscriberId');
// one record for each pair; all preferences of a subscriber; those of many subscribers for one workflow
PreferenceSchema.index({ _environmentId: 1, _subscriberId: 1, _templateId: 1 }, { unique: true });
// the suppression list, newest first
for (const channel of CHANNELS) {
  const at = `unsubscribed.${channel}.at`;
  PreferenceSchema.index(
    { _environmentId: 1, [at]: -1, _id: -1 },
    { partialFilterExpression: { [at]: { $exists: true } } },
  );
}
