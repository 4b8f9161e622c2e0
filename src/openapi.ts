import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { AppConfig } from '#libs/config';
import { HttpAdapter } from '#libs/http-kit';
import { AppModule } from './app.module.js';
import { createDocument } from './openapi-document.js';

// Writes the OpenAPI document without a store: `node dist/src/openapi.js [file]`.
const config = AppConfig.from({});
const app = await NestFactory.create(AppModule.forRoot(config), new HttpAdapter(config), {
  preview: true,
  logger: false,
});
app.enableVersioning();
const text = `${JSON.stringify(createDocument(app), null, 2)}\n`;
const file = process.argv[2];
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
await app.close();
