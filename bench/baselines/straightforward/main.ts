import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule } from './app.module.js';
import { EnvelopeInterceptor } from './envelope.interceptor.js';

// A Nest application with Mongoose as its documentation shows it: what Herald's routes would cost without Herald's shared rooms.
//   node main.js <port> <uri>
const [port = '0', uri = ''] = process.argv.slice(2);
const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(uri), { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
app.useGlobalInterceptors(new EnvelopeInterceptor());
app.enableShutdownHooks();
await app.listen(Number(port), '127.0.0.1');
