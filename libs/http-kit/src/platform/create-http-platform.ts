import type { AbstractHttpAdapter } from '@nestjs/core';
import type { AppConfig } from '#libs/config';

/** Makes the HTTP adapter of the platform that the settings name. Only that platform is loaded. */
export async function createHttpPlatform(config: AppConfig): Promise<AbstractHttpAdapter> {
  if (config.get('HTTP_PLATFORM') === 'express') {
    const { ExpressPlatform } = await import('./express-platform.js');
    return new ExpressPlatform(config);
  }
  const { FastifyPlatform } = await import('./fastify-platform.js');
  return new FastifyPlatform(config);
}
