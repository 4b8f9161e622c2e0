import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Types } from 'mongoose';
import type { Channel } from '#libs/channels';
import type { TenantContext } from '#libs/common';
import { NEWEST_FIRST, type PageRequest, type PageRows, type TenantModel, toObjectId } from '#libs/persistence';
import { Message } from '../records/message.schema.js';

type Environment = Pick<TenantContext, 'environmentId'>;

/** A row of the list is small, whatever was caught. */
const LARGE = ['payload', 'overrides', 'caught.html', 'caught.text', 'caught.extra', 'caught.headers'];
const CAUGHT = { caught: { $exists: true } };

export interface CaughtFilter {
  readonly channel?: Channel | undefined;
  readonly subscriber?: Types.ObjectId | undefined;
}

/** Messages that catchers have, and in-app messages of environments that catch. */
@Injectable()
export class CaughtMessages {
  constructor(@InjectModel(Message.name) private readonly messages: TenantModel<Message>) {}

  page(
    tenant: Environment,
    { channel, subscriber }: CaughtFilter,
    { page, limit }: PageRequest,
  ): Promise<PageRows<Message>> {
    const where = { ...CAUGHT, ...(channel && { channel }), ...(subscriber && { _subscriberId: subscriber }) };
    return this.messages.page(tenant, where, { page, limit, sort: NEWEST_FIRST, without: LARGE });
  }

  one(tenant: Environment, id: string): Promise<Message | undefined> {
    return this.messages.one(tenant, { _id: toObjectId(id), ...CAUGHT });
  }
}
