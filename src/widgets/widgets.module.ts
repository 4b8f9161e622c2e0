import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../organizations/index.js';
import { PreferencesModule } from '../preferences/index.js';
import { WidgetsController } from './widgets.controller.js';

@Module({
  imports: [OrganizationsModule, PreferencesModule],
  controllers: [WidgetsController],
})
export class WidgetsModule {}
