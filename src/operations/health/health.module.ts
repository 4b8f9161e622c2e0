import { Module } from '@nestjs/common';
import { MonitoringModule } from '../monitoring/index.js';
import { HealthController } from './health.controller.js';
import { HealthService } from './health.service.js';

@Module({ imports: [MonitoringModule], controllers: [HealthController], providers: [HealthService] })
export class HealthModule {}
