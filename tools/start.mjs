import module from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiProgram, ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
ensureBuilt();
// Where Node has it (22.1 and later), compiled code is kept from start to start.
module.enableCompileCache?.(join(ROOT, 'node_modules', '.cache', 'herald'));
await import(pathToFileURL(apiProgram()).href);
