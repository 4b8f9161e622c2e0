import type { AbstractHttpAdapter } from '@nestjs/core';
import type { AppConfig } from '#libs/config';

/** Makes the HTTP adapter of the platform that the settings name. Only that platform is loaded. */
export async function createHttpPlatform(config: AppConfig): Promise<AbstractHttpAdapter> {
  if (config.get('HTTP_PLATFORM') === 'express') {
    const { ExpressAdapter } = await import('./express-adapter.js');
    return new ExpressAdapter(config);
  }
  const { FastifyAdapter } = await import('./fastify-adapter.js');
  return new FastifyAdapter(config);
}
