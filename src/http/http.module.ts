import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { createValidationPipe } from '#libs/http-kit';
import { SubscriberSessionsModule } from '../browser/subscriber-sessions/index.js';
import { AuditLogModule } from '../outcomes/audit-log/index.js';
import { UsersModule } from '../people/users/index.js';
import { AuthModule } from '../platform/auth/index.js';
import { EnvironmentsModule } from '../platform/environments/index.js';
import { AllExceptionsFilter } from './all-exceptions.filter.js';
import { AuditedResources } from './audit/audited-resources.js';
import { AuditInterceptor } from './audit/audit.interceptor.js';
import { BodyInterceptor } from './body.interceptor.js';
import { CallerGuard } from './caller.guard.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';
import { IdempotencyInterceptor, IdempotencyModule } from './idempotency/index.js';
import { RateLimitGuard, RateLimitsModule } from './rate-limits/index.js';
import { ReadOnlyGuard } from './read-only.guard.js';

/** The frame of every request. */
@Module({
  imports: [
    AuthModule,
    RateLimitsModule,
    IdempotencyModule,
    EnvironmentsModule,
    UsersModule,
    AuditLogModule,
    SubscriberSessionsModule,
  ],
  providers: [
    // By their classes, so that a test overrides them as Nest's manual has it.
    CallerGuard,
    RateLimitGuard,
    ReadOnlyGuard,
    EnvelopeInterceptor,
    BodyInterceptor,
    IdempotencyInterceptor,
    AuditInterceptor,
    AllExceptionsFilter,
    // In the order of execution. No part of a body is read before the guards have admitted the request.
    { provide: APP_GUARD, useExisting: CallerGuard },
    { provide: APP_GUARD, useExisting: RateLimitGuard },
    { provide: APP_GUARD, useExisting: ReadOnlyGuard },
    { provide: APP_INTERCEPTOR, useExisting: EnvelopeInterceptor },
    { provide: APP_INTERCEPTOR, useExisting: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useExisting: IdempotencyInterceptor },
    { provide: APP_INTERCEPTOR, useExisting: AuditInterceptor },
    { provide: APP_PIPE, useFactory: createValidationPipe },
    { provide: APP_FILTER, useExisting: AllExceptionsFilter },
    AuditedResources,
  ],
})
export class HttpModule {}
