import { ensureBuilt } from './build.mjs';

/** `npm run --silent embedded-mongo -- --port N --dbpath DIR`: builds what is stale, then is the store's program. */
await ensureBuilt();
await import('@herald/embedded-mongo/program');
