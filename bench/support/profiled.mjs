// Herald with a sampling profiler in its process: SIGUSR2 starts it, and the next one writes PROFILE_FILE.
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { pathToFileURL } from 'node:url';
import { API_PROGRAM } from '../../tools/build.mjs';

const INTERVAL_US = 500;
const session = new Session();
session.connect();
let isOn = false;

process.on('SIGUSR2', async () => {
  isOn = !isOn;
  if (isOn) {
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await session.post('Profiler.start');
    return;
  }
  const { profile } = await session.post('Profiler.stop');
  writeFileSync(process.env.PROFILE_FILE, JSON.stringify(profile));
});
await import(pathToFileURL(API_PROGRAM).href);
