import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { AuditEntry, AuditEntrySchema } from './audit-entry.schema.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditTeller } from './audit-teller.js';
import { AuditTrail } from './audit-trail.js';

@Module({
  imports: [SubscribersModule, MongooseModule.forFeature([{ name: AuditEntry.name, schema: AuditEntrySchema }])],
  controllers: [AuditLogController],
  providers: [AuditTrail, AuditLogService, AuditTeller],
  exports: [AuditTrail],
})
export class AuditLogModule {}
