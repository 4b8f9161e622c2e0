import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMMAND_PROGRAM, ROOT } from './build.mjs';

// node tools/run-built.mjs <program below dist> [arguments]: runs what is built in this process, in the working folder.
const [program, ...args] = process.argv.slice(2);
const file = posix.join('dist', program);
const { run } = await import(pathToFileURL(COMMAND_PROGRAM).href);
// Only now: a program that finds its own file here starts by itself.
process.argv = [process.argv[0], join(ROOT, file), ...args];
await run(file);
