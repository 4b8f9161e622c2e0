import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

// Imported before a program of the bundle is loaded. Its stack traces name lines of TypeScript, and from Node 22.8 on, its compiled code is
// kept for later starts, if the folder of the bundle can be written to.
process.setSourceMapsEnabled(true);
const kept = nodeModule.enableCompileCache?.(fileURLToPath(new URL('.compile-cache', import.meta.url)));
// For the embedded store, the processes of a group, and threads.
if (kept?.directory !== undefined) process.env.NODE_COMPILE_CACHE ??= kept.directory;
