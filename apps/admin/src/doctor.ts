import 'reflect-metadata';
import { loadConfig } from '#libs/config';
import { doctorProgram } from './doctor/doctor-program.js';
import { isStartedProgram } from '../../../src/bootstrap/started-program.js';

// `herald doctor`: asks the running Herald, or looks at the settings, the store and the machine.
export async function run(): Promise<void> {
  // eslint-disable-next-line no-restricted-properties -- HERALD_URL and HERALD_API_KEY are no settings of Herald
  const code = await doctorProgram(process.argv.slice(2), process.env, loadConfig, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  });
  // A connection that still waits would keep the process alive.
  process.stdout.write('', () => process.exit(code));
}

if (isStartedProgram(import.meta.url)) void run();
