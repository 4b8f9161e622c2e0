#!/usr/bin/env node
import { readFileSync } from 'node:fs';

// Only what an old Node can read, so that it can say that it is too old.
const { engines, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const [wanted, wantedMinor] = engines.node.match(/\d+/g).map(Number);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < wanted || (major === wanted && minor < wantedMinor)) {
  process.stderr.write(
    `herald: Node.js ${wanted}.${wantedMinor} or later is required; this is ${process.versions.node} (${process.execPath}). ` +
      'Install a current version from https://nodejs.org.\n',
  );
  process.exit(1);
}
const { runCommand } = await import('./commands.mjs');
await runCommand(process.argv.slice(2), version);
