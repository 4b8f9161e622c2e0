import { Injectable } from '@nestjs/common';
import { CATCHER_CHANNELS, CATCHERS } from '#libs/channels';
import type { Caller, TenantContext } from '#libs/common';
import { Page, shown } from '#libs/http-kit';
import { CaughtMessages } from '../../engine/messages/store/index.js';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { IntegrationsService } from '../../channels/integrations/index.js';
import { SubscriberSummaries } from '../../audience/subscribers/index.js';
import { CaughtMessageNotFound } from './catcher.errors.js';
import type { ListCaughtQuery } from './catcher.dto.js';
import {
  CatcherChannelResponse,
  CatcherResponse,
  type CaughtMessageResponse,
  type ListedCaughtMessageResponse,
  showCaught,
  showListedCaught,
} from './catcher.response.js';

@Injectable()
export class CatcherService {
  constructor(
    private readonly integrations: IntegrationsService,
    private readonly environments: EnvironmentsService,
    private readonly caught: CaughtMessages,
    private readonly subscribers: SubscriberSummaries,
  ) {}

  async show(tenant: TenantContext): Promise<CatcherResponse> {
    const [channels, isProduction] = await Promise.all([this.channels(tenant), this.environments.isProduction(tenant)]);
    return shown(CatcherResponse, { isOn: channels.every(({ isOn }) => isOn), isAllowed: !isProduction, channels });
  }

  /** Other integrations stay as they are: a catcher that is active takes every message. @throws {CatcherInProduction} */
  async switch(tenant: Caller, isOn: boolean): Promise<CatcherResponse> {
    for (const { channel, integrationId, isOn: wasOn } of await this.channels(tenant)) {
      if (wasOn === isOn) continue;
      const providerId = CATCHERS[channel];
      if (integrationId !== undefined) await this.integrations.update(tenant, integrationId, { active: isOn });
      else await this.integrations.create(tenant, { channel, providerId, identifier: providerId, active: true });
    }
    return this.show(tenant);
  }

  /** Newest first. */
  async list(tenant: TenantContext, query: ListCaughtQuery): Promise<Page<ListedCaughtMessageResponse>> {
    const { page, limit, channel, subscriberId } = query;
    const subscriber = subscriberId && (await this.subscribers.recent(tenant, subscriberId));
    const filter = { channel, ...(subscriber && { subscriber: subscriber._id }) };
    const { rows, hasMore } = await this.caught.page(tenant, filter, { page, limit });
    const known = await this.subscribers.byIds(
      tenant,
      rows.map(({ _subscriberId }) => _subscriberId.toHexString()),
    );
    const listed = rows.map((row) => showListedCaught(row, known.get(row._subscriberId.toHexString())));
    return new Page(listed, page, limit, hasMore);
  }

  async get(tenant: TenantContext, messageId: string): Promise<CaughtMessageResponse> {
    const row = await this.caught.one(tenant, messageId);
    if (row === undefined) throw new CaughtMessageNotFound(messageId);
    const id = row._subscriberId.toHexString();
    return showCaught(row, (await this.subscribers.byIds(tenant, [id])).get(id));
  }

  private async channels(tenant: TenantContext): Promise<CatcherChannelResponse[]> {
    const integrations = await this.integrations.list(tenant);
    return CATCHER_CHANNELS.map((channel) => {
      const own = integrations.filter((one) => one.channel === channel && one.providerId === CATCHERS[channel]);
      const catcher = own.find(({ active }) => active) ?? own[0];
      const isOn = catcher?.active === true;
      return shown(CatcherChannelResponse, { channel, isOn, ...(catcher && { integrationId: catcher._id }) });
    });
  }
}
