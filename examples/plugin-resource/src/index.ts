import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { definePlugin } from 'herald/plugin';
import { Announcement, AnnouncementSchema } from './announcement.schema.js';
import { AnnouncementsController } from './announcements.controller.js';
import { AnnouncementsService } from './announcements.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Announcement.name, schema: AnnouncementSchema }])],
  controllers: [AnnouncementsController],
  providers: [AnnouncementsService],
})
class AnnouncementsModule {}

export default definePlugin({
  name: 'herald-plugin-example-resource',
  apiVersion: 1,
  modules: [AnnouncementsModule],
  migrations: [
    {
      version: 1,
      name: 'audience of the first announcements',
      run: async (db) => {
        const withoutAudience = { audience: { $exists: false } };
        await db.collection('exampleAnnouncements').updateMany(withoutAudience, { $set: { audience: 'everyone' } });
      },
    },
  ],
});
