import 'reflect-metadata';
import { ValidationPipe } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';

// The first application of Nest's manual, with Mongoose: no keys, no environments, nothing but what three routes need.
//   node main.js <port> <uri>
const [port = '0', uri = ''] = process.argv.slice(2);
const app = await NestFactory.create(AppModule.forRoot(uri), { logger: ['error'] });
app.setGlobalPrefix('v1');
app.useGlobalPipes(new ValidationPipe({ transform: true }));
await app.listen(Number(port), '127.0.0.1');
