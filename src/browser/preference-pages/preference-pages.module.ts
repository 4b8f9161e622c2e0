import { Module } from '@nestjs/common';
import { ExecutionDetailsModule } from '../../engine/execution-details/index.js';
import { MessagesModule } from '../../engine/messages/index.js';
import { OrganizationsModule } from '../../platform/organizations/index.js';
import { PreferencesModule } from '../../content/preferences/index.js';
import { RecipientLinksModule } from '../../platform/recipient-links/index.js';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { TenantsModule } from '../../audience/tenants/index.js';
import { WorkflowsModule } from '../../content/workflows/index.js';
import { FormBodies } from './form-body.js';
import { PreferencePageController } from './preference-page.controller.js';
import { PreferencePageService } from './preference-page.service.js';
import { Recipients } from './recipient.js';
import { RecordedChanges } from './recorded-changes.js';
import { UnsubscribeController } from './unsubscribe.controller.js';
import { UnsubscribesService } from './unsubscribes.service.js';

@Module({
  imports: [
    RecipientLinksModule,
    PreferencesModule,
    SubscribersModule,
    WorkflowsModule,
    OrganizationsModule,
    TenantsModule,
    MessagesModule,
    ExecutionDetailsModule,
  ],
  controllers: [UnsubscribeController, PreferencePageController],
  providers: [Recipients, FormBodies, RecordedChanges, UnsubscribesService, PreferencePageService],
  exports: [Recipients, FormBodies],
})
export class PreferencePagesModule {}
