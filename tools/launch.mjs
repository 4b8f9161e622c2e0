import { keepCache, loadJoinedProgram } from './joined-program.mjs';
import { loaded, loading } from './loading-flags.mjs';

loading();
const { script, program } = loadJoinedProgram();
await program.run();
// Only now, because the cache holds the functions that have run so far.
if (script.cachedDataRejected !== false && !process.exitCode) {
  loading();
  keepCache(script);
}
loaded();
