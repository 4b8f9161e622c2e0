import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Layout, LayoutSchema } from './layout.schema.js';
import { LayoutDefinitionsService } from './layout-definitions.service.js';
import { LayoutsController } from './layouts.controller.js';
import { LayoutsService } from './layouts.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: Layout.name, schema: LayoutSchema }])],
  controllers: [LayoutsController],
  providers: [LayoutsService, LayoutDefinitionsService],
  exports: [LayoutsService, LayoutDefinitionsService],
})
export class LayoutsModule {}
