import 'reflect-metadata';
import { loadConfig } from '#libs/config';
import { keysProgram } from './keys/keys-program.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

// `npm run herald -- keys ...`: uses the store, or a running Herald while that Herald holds the embedded store.
export async function run(): Promise<void> {
  process.exitCode = await keysProgram(process.argv.slice(2), loadConfig, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
}

if (isStartedProgram(import.meta.url)) void run();
