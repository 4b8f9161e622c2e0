import { Module } from '@nestjs/common';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { TopicsModule } from '../../audience/topics/index.js';
import { SubscribersV2Controller } from './subscribers-v2.controller.js';

@Module({ imports: [SubscribersModule, TopicsModule], controllers: [SubscribersV2Controller] })
export class SubscribersV2Module {}
