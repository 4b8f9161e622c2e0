import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { NotificationGroupsModule } from '../notification-groups/index.js';
import { WorkflowsModule } from '../workflows/index.js';
import { Preference, PreferenceSchema } from './preference.schema.js';
import { PreferenceRecords } from './preference-records.js';
import { PreferencesController } from './preferences.controller.js';
import { PreferencesService } from './preferences.service.js';
import { Unsubscriptions } from './unsubscriptions.js';

@Module({
  imports: [
    MongooseModule.forFeature([{ name: Preference.name, schema: PreferenceSchema }]),
    SubscribersModule,
    NotificationGroupsModule,
    WorkflowsModule,
  ],
  controllers: [PreferencesController],
  providers: [PreferencesService, PreferenceRecords, Unsubscriptions],
  exports: [PreferencesService, PreferenceRecords, Unsubscriptions],
})
export class PreferencesModule {}
