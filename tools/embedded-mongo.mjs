import { ensureBuilt } from './build.mjs';

/** `npm run --silent embedded-mongo -- --port N --dbpath DIR`: builds what is stale, then is the store's program. */
await ensureBuilt();
const { start } = await import('../dist/libs/embedded-mongo/src/main.js');
start();
