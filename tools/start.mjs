import { ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
ensureBuilt();
await import('../dist/src/main.js');
