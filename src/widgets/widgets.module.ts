import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/index.js';
import { OrganizationsModule } from '../organizations/index.js';
import { PreferencesModule } from '../preferences/index.js';
import { WidgetFeedController } from './widget-feed.controller.js';
import { WidgetMessagesController } from './widget-messages.controller.js';
import { WidgetPreferencesController } from './widget-preferences.controller.js';
import { WidgetsController } from './widgets.controller.js';

@Module({
  imports: [MessagesModule, OrganizationsModule, PreferencesModule],
  controllers: [WidgetsController, WidgetFeedController, WidgetMessagesController, WidgetPreferencesController],
})
export class WidgetsModule {}
