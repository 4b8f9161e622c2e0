import { ensureBuilt } from './build.mjs';

/** `npm run --silent embedded-mongo -- --port N --dbpath DIR`: builds it if stale, then runs the store. */
ensureBuilt('run');
await import('@herald/embedded-mongo/program');
