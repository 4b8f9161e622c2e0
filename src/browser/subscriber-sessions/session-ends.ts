import { Injectable } from '@nestjs/common';
import { EventBus, type TenantContext } from '#libs/common';
import { EnvironmentsService } from '../../platform/environments/index.js';
import { SubscribersService } from '../../audience/subscribers/index.js';

/** Listeners close the connections of these sessions. */
export class SessionsEnded {
  /** @param id record id of the subscriber; absent: the whole environment */
  constructor(
    readonly environmentId: string,
    readonly id?: string,
  ) {}
}

@Injectable()
export class SessionEnds {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly environments: EnvironmentsService,
    private readonly events: EventBus,
  ) {}

  async ofSubscriber(tenant: TenantContext, subscriberId: string): Promise<void> {
    const { id } = await this.subscribers.endSessions(tenant, subscriberId);
    await this.events.publish(new SessionsEnded(tenant.environmentId, id));
  }

  async ofEnvironment({ environmentId }: TenantContext): Promise<void> {
    await this.environments.endSessions(environmentId);
    await this.events.publish(new SessionsEnded(environmentId));
  }
}
