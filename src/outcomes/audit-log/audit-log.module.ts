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
import { AuditedAnswers } from './audited-answers.js';
import { AuditTrail } from './audit-trail.js';

@Module({
  imports: [
    AuthModule,
    SubscribersModule,
    UsersModule,
    MongooseModule.forFeature([{ name: AuditEntry.name, schema: AuditEntrySchema }]),
  ],
  controllers: [AuditLogController],
  providers: [AuditTrail, AuditActorsService, AuditLogService, AuditTeller, AuditedAnswers],
  exports: [AuditTrail, AuditActorsService],
})
export class AuditLogModule {}
