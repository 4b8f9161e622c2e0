import { Module } from '@nestjs/common';
import { InboxModule } from '../../browser/inbox/index.js';
import { PreferencesModule } from '../../content/preferences/index.js';
import { SubscriberPreferencesController } from './subscriber-preferences.controller.js';
import { SubscriberPreferencesService } from './subscriber-preferences.service.js';

@Module({
  imports: [InboxModule, PreferencesModule],
  controllers: [SubscriberPreferencesController],
  providers: [SubscriberPreferencesService],
})
export class SubscriberPreferencesModule {}
