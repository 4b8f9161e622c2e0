import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { CallbackRequest } from '#libs/channels';
import { derivedObjectId, isDuplicateKey, ownedBy, type TenantModel, toObjectId } from '#libs/persistence';
import type { CallbackIntegration } from '../integrations/index.js';
import { CallbackToken } from './callback-token.schema.js';

/** Lets each signature that does not cover the body stand for one body only, in whichever process it arrives. */
@Injectable()
export class CallbackTokens {
  constructor(@InjectModel(CallbackToken.name) private readonly tokens: TenantModel<CallbackToken>) {}

  /**
   * True where the word was not used with another body. The same body again is the provider's own repetition: what was
   * not answered comes again.
   */
  async admit({ id, owner, callback }: CallbackIntegration, request: CallbackRequest): Promise<boolean> {
    const once = callback.once?.(request);
    if (once === undefined) return true;
    const _id = derivedObjectId(toObjectId(id), once.word);
    const body = createHash('sha256').update(request.rawBody).digest('base64url');
    try {
      await this.tokens.create({ _id, ...ownedBy(owner), body, expireAt: once.until });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const known = await this.tokens.findOne({ _id, _environmentId: owner.environmentId }).lean().exec();
    return known?.body === body;
  }
}
