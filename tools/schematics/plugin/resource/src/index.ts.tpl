import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { definePlugin } from 'herald/plugin';
import { __Name__, __Name__Schema } from './__file__.schema.js';
import { __Names__Controller } from './__files__.controller.js';
import { __Names__Service } from './__files__.service.js';

@Module({
  imports: [MongooseModule.forFeature([{ name: __Name__.name, schema: __Name__Schema }])],
  controllers: [__Names__Controller],
  providers: [__Names__Service],
})
class __Names__Module {}

export default definePlugin({ name: '__package__', apiVersion: __apiVersion__, modules: [__Names__Module] });
