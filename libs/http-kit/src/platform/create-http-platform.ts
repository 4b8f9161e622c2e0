import type { AbstractHttpAdapter } from '@nestjs/core';
import type { AppConfig } from '#libs/config';

/** Loads only the configured platform. */
export async function createHttpPlatform(config: AppConfig): Promise<AbstractHttpAdapter> {
  if (config.get('HTTP_PLATFORM') === 'express') {
    const { ExpressAdapter } = await import('./express-adapter.js');
    return new ExpressAdapter(config);
  }
  const { FastifyAdapter } = await import('./fastify-adapter.js');
  return new FastifyAdapter(config);
}
