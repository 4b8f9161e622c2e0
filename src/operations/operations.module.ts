import { Module } from '@nestjs/common';
import { AlertsModule } from './alerts/index.js';
import { CatcherModule } from './catcher/index.js';
import { HealthModule } from './health/index.js';
import { McpModule } from './mcp/index.js';
import { MonitoringModule } from './monitoring/index.js';
import { PersonalDataModule } from './personal-data/index.js';
import { TestingModule } from './testing/index.js';

@Module({
  imports: [PersonalDataModule, MonitoringModule, HealthModule, TestingModule, CatcherModule, AlertsModule, McpModule],
})
export class OperationsModule {}
