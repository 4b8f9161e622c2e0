import { Module } from '@nestjs/common';
import { EnvironmentsV2Module } from './environments/index.js';
import { NotServedModule } from './not-served/index.js';
import { SubscriberNotificationsModule } from './subscriber-notifications/index.js';
import { SubscriberPreferencesModule } from './subscriber-preferences/index.js';
import { SubscribersV2Module } from './subscribers/index.js';
import { TopicsV2Module } from './topics/index.js';
import { WorkflowsV2Module } from './workflows/index.js';

/** The interface of later clients of the compatible system, on the resources of the other wings. */
@Module({
  imports: [
    SubscribersV2Module,
    SubscriberPreferencesModule,
    SubscriberNotificationsModule,
    TopicsV2Module,
    WorkflowsV2Module,
    EnvironmentsV2Module,
    NotServedModule,
  ],
})
export class V2Module {}
