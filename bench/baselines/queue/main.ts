import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

// What teams build first: a route that puts a job in BullMQ, and a worker of Nest that stores the message, in one process.
//   node main.js <port> <uri> <port of Redis>
const [port = '0', uri = '', redisPort = '6379'] = process.argv.slice(2);
const app = await NestFactory.create(AppModule.forRoot(uri, Number(redisPort)), { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
app.enableShutdownHooks();
await app.listen(Number(port), '127.0.0.1');
