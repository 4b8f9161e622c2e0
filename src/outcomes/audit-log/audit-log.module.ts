import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { SubscribersModule } from '../../audience/subscribers/index.js';
import { UsersModule } from '../../people/users/index.js';
import { AuthModule } from '../../platform/auth/index.js';
import { AuditActorsService } from './audit-actors.js';
import { AuditEntry, AuditEntrySchema } from './audit-entry.schema.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';
import { AuditTeller } from './audit-teller.js';
import { AuditTrail } from './audit-trail.js';
import { AuditedResources } from './audited-resources.js';

@Module({
  imports: [
    AuthModule,
    UsersModule,
    SubscribersModule,
    MongooseModule.forFeature([{ name: AuditEntry.name, schema: AuditEntrySchema }]),
  ],
  controllers: [AuditLogController],
  providers: [AuditTrail, AuditActorsService, AuditedResources, AuditLogService, AuditTeller],
  exports: [AuditTrail, AuditActorsService, AuditedResources],
})
export class AuditLogModule {}
