import { pathToFileURL } from 'node:url';
import { stopWithShell } from '../bin/commands.mjs';
import { apiProgram, ensureBuilt, ROOT } from './build.mjs';

process.chdir(ROOT);
stopWithShell();
ensureBuilt('run');
await import(pathToFileURL(apiProgram()).href);
