import { Module } from '@nestjs/common';
import { PreferencesModule } from '../preferences/index.js';
import { SubscribersModule } from '../subscribers/index.js';
import { SuppressionsController } from './suppressions.controller.js';
import { SuppressionsService } from './suppressions.service.js';

@Module({
  imports: [SubscribersModule, PreferencesModule],
  controllers: [SuppressionsController],
  providers: [SuppressionsService],
})
export class SuppressionsModule {}
