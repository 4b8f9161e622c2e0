import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser with an empty profile, which `close` removes. `close` returns the hosts that the browser looked up. */
export async function openBrowser(executablePath, viewport) {
  const profile = mkdtempSync(join(tmpdir(), 'herald-browser-'));
  const log = join(profile, 'net-log.json');
  const args = [...FLAGS, `--log-net-log=${log}`];
  // Tests sign their own certificates.
  const options = { executablePath, args, viewport, ignoreHTTPSErrors: true };
  const context = await chromium.launchPersistentContext(profile, options);
  const shut = async () => {
    await context.close();
    const hosts = hostsIn(readFileSync(log, 'utf8'));
    rmSync(profile, { recursive: true, force: true });
    return hosts;
  };
  let closing;
  return { context, close: () => (closing ??= shut()) };
}

/** The log of the browser has also what no page is told of, such as connections ahead of need, and nothing that a policy stopped. */
const hostsIn = (log) => [...new Set(Array.from(log.matchAll(/"host":"([^"]+)"/g), ([, host]) => host))];

/** What the browser says in its console: a policy that blocks parts of the page, a script that fails. */
export function watch(page) {
  const complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
