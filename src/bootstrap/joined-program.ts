import type { Plugin } from './plugin-api/index.js';

/** Exports of the joined program (tools/bundle.mjs) for the files next to it. Everything is loaded on demand. */

/** Resolves when Herald is ready or has reported why it cannot start. */
export async function run(): Promise<void> {
  await (
    await import('../main.js')
  ).started;
}

/** Within this thread. */
export async function shareModules(): Promise<void> {
  await (await import('./plugin-host/index.js')).shareModules();
}

/** For teams that build Herald themselves. */
export async function inTreePlugins(): Promise<readonly Plugin[]> {
  return (await import('../plugins.js')).default;
}
