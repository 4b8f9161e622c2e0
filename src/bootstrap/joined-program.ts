import type { Plugin } from './plugin-api/index.js';

/** What the joined program (tools/bundle.mjs) offers to the files next to it. Nothing is loaded before it is asked for. */

/** Runs Herald. Fulfilled when it is ready, or has said why it cannot start. */
export async function run(): Promise<void> {
  await (
    await import('../main.js')
  ).started;
}

/** Shares the packages of plugins within this thread. */
export async function shareModules(): Promise<void> {
  await (await import('./plugin-host/index.js')).shareModules();
}

/** The plugins of a team that builds Herald itself. */
export async function inTreePlugins(): Promise<readonly Plugin[]> {
  return (await import('../plugins.js')).default;
}
