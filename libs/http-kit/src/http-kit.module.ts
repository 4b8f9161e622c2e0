import { Global, Module } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { BodyReader } from './body/body-reader.js';
import { ErrorAnswers, ThrownErrors, UnknownRoutes } from './errors/error-answers.js';
import { AppLogger } from './logging/app-logger.js';
import { RouteAccess } from './routing/route-access.js';

@Global()
@Module({
  providers: [
    { provide: AppLogger, inject: [AppConfig], useFactory: (config: AppConfig) => new AppLogger(config) },
    ThrownErrors,
    UnknownRoutes,
    ErrorAnswers,
    BodyReader,
    RouteAccess,
  ],
  exports: [AppLogger, BodyReader, ErrorAnswers, RouteAccess, ThrownErrors, UnknownRoutes],
})
export class HttpKitModule {}
