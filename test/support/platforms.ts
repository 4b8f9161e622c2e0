/** The settings of the HTTP platforms, for `describe.each`. */
export const PLATFORMS = [{ HTTP_PLATFORM: 'fastify' }, { HTTP_PLATFORM: 'express' }] as const;
