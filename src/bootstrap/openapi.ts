import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { AppConfig, readSettings } from '#libs/config';
import { createHttpPlatform } from '#libs/http-kit';
import { loadPlugins } from './plugin-host/index.js';

// Writes the document, including plugins, without a store: `node dist/src/bootstrap/openapi.js [file]`.
const config = AppConfig.from(readSettings(['HERALD_PLUGINS']));
await loadPlugins(config);
const { AppModule } = await import('../app.module.js');
const { createDocument } = await import('./openapi-document.js');
const app = await NestFactory.create(AppModule.forRoot(config), await createHttpPlatform(config), {
  preview: true,
  logger: false,
});
app.enableVersioning();
const text = `${JSON.stringify(createDocument(app), null, 2)}\n`;
const file = process.argv[2];
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
await app.close();
