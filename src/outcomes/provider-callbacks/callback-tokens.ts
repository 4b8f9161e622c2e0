import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel, Prop, Schema } from '@nestjs/mongoose';
import type { CallbackRequest } from '#libs/channels';
import {
  defineSchema,
  derivedObjectId,
  onDuplicateKey,
  ownedBy,
  type TenantModel,
  TenantRecord,
  toObjectId,
  shardBy,
} from '#libs/persistence';
import type { CallbackIntegration } from '../../channels/integrations/index.js';

/** For signatures that cover the nonce but not the body. */
@Schema({ collection: 'callbackTokens', timestamps: true })
export class CallbackToken extends TenantRecord {
  @Prop({ type: String, required: true })
  body: string;

  @Prop({ type: Date, required: true })
  expireAt: Date;
}

export const CallbackTokenSchema = defineSchema(CallbackToken);
shardBy(CallbackTokenSchema, '_id');
// retention: the signature itself has expired by then
CallbackTokenSchema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** Binds such a signature to one body, in every process. */
@Injectable()
export class CallbackTokens {
  constructor(@InjectModel(CallbackToken.name) private readonly tokens: TenantModel<CallbackToken>) {}

  /** @returns false if the nonce was used with another body; the same body again is the provider's retry */
  async admit({ id, owner, callback }: CallbackIntegration, request: CallbackRequest): Promise<boolean> {
    const once = callback.once?.(request);
    if (once === undefined) return true;
    const _id = derivedObjectId(toObjectId(id), once.word);
    const body = createHash('sha256').update(request.rawBody).digest('base64url');
    return this.tokens.create({ _id, ...ownedBy(owner), body, expireAt: once.until }).then(
      () => true,
      onDuplicateKey(async () => {
        const known = await this.tokens.findOne({ _id, _environmentId: owner.environmentId }).lean().exec();
        return known?.body === body;
      }),
    );
  }
}
