import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { BodyInterceptor } from './body/body.interceptor.js';
import { BodyReader } from './body/body-reader.js';
import { EnvelopeInterceptor } from './envelope/envelope.interceptor.js';
import { AllExceptionsFilter, ThrownErrors } from './errors/all-exceptions.filter.js';
import { AppLogger } from './logging/app-logger.js';
import { UnknownInputInterceptor } from './validation/unknown-input.interceptor.js';
import { createValidationPipe } from './validation/validation.pipe.js';

@Global()
@Module({
  providers: [
    { provide: AppLogger, inject: [AppConfig], useFactory: (config: AppConfig) => new AppLogger(config) },
    ThrownErrors,
    BodyReader,
    { provide: APP_PIPE, useFactory: createValidationPipe },
    { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_INTERCEPTOR, useClass: UnknownInputInterceptor },
    { provide: APP_FILTER, useClass: AllExceptionsFilter },
  ],
  exports: [AppLogger, BodyReader, ThrownErrors],
})
export class HttpKitModule {}
