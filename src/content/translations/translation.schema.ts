import { Prop, Schema } from '@nestjs/mongoose';
import { defineSchema, TenantRecord } from '#libs/persistence';

/** The words of one locale of an environment. */
@Schema({ collection: 'translations', timestamps: true })
export class Translation extends TenantRecord {
  /** In its canonical form, such as `de-AT`. */
  @Prop({ type: String, required: true })
  locale: string;

  /** Its words are shown where the reader's locale has none. At most one of an environment. */
  @Prop({ type: Boolean, required: true })
  isDefault: boolean;

  /** JSON of keys and messages: keys have dots, and their order is that of the author. */
  @Prop({ type: String, required: true })
  messages: string;

  /** Number of keys. */
  @Prop({ type: Number, required: true })
  keyCount: number;

  /** Length of the longest message. */
  @Prop({ type: Number, required: true })
  longest: number;

  /** Most placeholders of a message. */
  @Prop({ type: Number, required: true })
  braces: number;

  /** Another one after each change of the messages. */
  @Prop({ type: String, required: true })
  revision: string;
}

export const TranslationSchema = defineSchema(Translation);
// clash check of create, look-up by locale, the list
TranslationSchema.index({ _environmentId: 1, locale: 1 }, { unique: true });
// at most one default
TranslationSchema.index(
  { _environmentId: 1, isDefault: 1 },
  { unique: true, partialFilterExpression: { isDefault: true } },
);
// definitions, in the order in which all of them can be deleted
TranslationSchema.index({ _environmentId: 1, deleted: 1, isDefault: 1, locale: 1 });
