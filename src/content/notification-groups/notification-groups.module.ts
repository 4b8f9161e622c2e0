import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { NotificationGroup, NotificationGroupSchema } from './notification-group.schema.js';
import { NotificationGroupsController } from './notification-groups.controller.js';
import { NotificationGroupsService } from './notification-groups.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: NotificationGroup.name, schema: NotificationGroupSchema }])],
  controllers: [NotificationGroupsController],
  providers: [NotificationGroupsService],
  exports: [NotificationGroupsService],
})
export class NotificationGroupsModule {}
