import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { BodyReader } from './body/body-reader.js';
import { AllExceptionsFilter } from './errors/all-exceptions.filter.js';
import { ErrorAnswers, ThrownErrors } from './errors/error-answers.js';
import { AppLogger } from './logging/app-logger.js';
import { InputStage } from './pipeline/input.stage.js';
import { Pipeline } from './pipeline/pipeline.js';
import { createValidationPipe } from './validation/validation.pipe.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    { provide: AppLogger, inject: [AppConfig], useFactory: (config: AppConfig) => new AppLogger(config) },
    ThrownErrors,
    ErrorAnswers,
    BodyReader,
    InputStage,
    Pipeline,
    { provide: APP_PIPE, useFactory: createValidationPipe },
    { provide: APP_FILTER, useClass: AllExceptionsFilter },
  ],
  exports: [AppLogger, BodyReader, Pipeline, ThrownErrors],
})
export class HttpKitModule {}
