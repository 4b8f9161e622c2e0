import { Module } from '@nestjs/common';
import { MessagesModule } from '../../engine/messages/index.js';
import { OrganizationsModule } from '../../platform/organizations/index.js';
import { PreferencesModule } from '../../content/preferences/index.js';
import { WidgetFeedController } from './widget-feed.controller.js';
import { WidgetMessagesController } from './widget-messages.controller.js';
import { WidgetPreferencesController } from './widget-preferences.controller.js';
import { WidgetsController } from './widgets.controller.js';

@Module({
  imports: [MessagesModule, OrganizationsModule, PreferencesModule],
  controllers: [WidgetsController, WidgetFeedController, WidgetMessagesController, WidgetPreferencesController],
})
export class WidgetsModule {}
