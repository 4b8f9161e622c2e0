import { Injectable } from '@nestjs/common';
import { OnDomainEvent } from '#libs/common';
import { EnvironmentReady } from '../environments/index.js';
import { NotificationGroupsService } from './notification-groups.service.js';

@Injectable()
export class NotificationGroupsListener {
  constructor(private readonly groups: NotificationGroupsService) {}

  @OnDomainEvent(EnvironmentReady)
  async onEnvironmentReady({ owner, parentId }: EnvironmentReady): Promise<void> {
    await this.groups.ensureDefault(owner, parentId);
  }
}
