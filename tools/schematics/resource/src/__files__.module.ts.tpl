import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { __Name__, __Name__Schema } from './__file__.schema.js';
import { __Names__Controller } from './__files__.controller.js';
import { __Names__Service } from './__files__.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: __Name__.name, schema: __Name__Schema }])],
  controllers: [__Names__Controller],
  providers: [__Names__Service],
  exports: [__Names__Service],
})
export class __Names__Module {}
