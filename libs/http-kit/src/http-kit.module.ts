import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { EnvelopeInterceptor } from './envelope/envelope.interceptor.js';
import { AllExceptionsFilter } from './errors/all-exceptions.filter.js';
import { AppLogger } from './logging/app-logger.js';
import { createValidationPipe } from './validation/validation.pipe.js';

/** The log, the envelope, validation and the error body, for every module at once. */
@Global()
@Module({
  providers: [
    { provide: AppLogger, inject: [AppConfig], useFactory: (config: AppConfig) => new AppLogger(config) },
    { provide: APP_PIPE, useFactory: createValidationPipe },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_FILTER, useClass: AllExceptionsFilter },
  ],
  exports: [AppLogger],
})
export class HttpKitModule {}
