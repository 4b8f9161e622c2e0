import assert from 'node:assert/strict';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:net';
import { Herald } from '@herald/client';
import { startNginx, useEverything } from '../test/browser/behind-a-path.mjs';
import { useTheBell } from '../test/browser/bell.mjs';
import { useTheCanvas } from '../test/browser/console-canvas.mjs';
import { useTheConsole } from '../test/browser/console.mjs';
import { useTheSetUp } from '../test/browser/console-admin.mjs';
import { useTheEditor } from '../test/browser/console-editor.mjs';
import { signInWithProvider } from '../test/browser/console-single-sign-on.mjs';
import { setUpDemandedCodes } from '../test/browser/console-demanded-codes.mjs';
import { signInAsPeople } from '../test/browser/console-people.mjs';
import { tryWorkflows } from '../test/browser/console-trying.mjs';
import { startProviders } from '../test/browser/console/providers.mjs';
import { startLoginProvider } from '../test/support/login-provider.mjs';
import { readTheDocs } from '../test/browser/docs.mjs';
import { useTheInbox } from '../test/browser/inbox.mjs';
import { useTheComponents } from '../test/browser/inbox-demo.mjs';
import { lookAtTheMails } from '../test/browser/mails.mjs';
import { buildPluginWithPage, useThePluginPage } from '../test/browser/plugin-page.mjs';
import { useThePage } from '../test/browser/swagger.mjs';
import { buildDocsSite } from './docs-site/build.mjs';
import { findHerald } from './herald.mjs';
import { buildInboxDemo } from './inbox-demo/build.mjs';

// npm run test:browser [-- --screenshot file.png] [--only console|set-up|editor|trying|canvas|people|sign-on|inbox|mails|plugins|path]: the console, <herald-inbox>, /docs, Swagger UI,
// all of them behind nginx where that is there, /inbox-demo, mails and the page of docs/browser-clients.md in a real browser, skipped if there is none.
const FAST_RETRIES = { DELIVERY_MAX_ATTEMPTS: '3', DELIVERY_RETRY_BASE_MS: '300' };
const FAST_WEBHOOKS = { WEBHOOK_MAX_ATTEMPTS: '2', WEBHOOK_RETRY_BASE_MS: '100' };
const BROWSERS = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const browser = found(BROWSERS);
const nginx = found([process.env.NGINX, '/usr/sbin/nginx', '/usr/local/bin/nginx']);
if (browser === undefined) {
  console.log('browser test: skipped. Install Chromium, or set CHROMIUM to its path.');
  process.exit(0);
}

const at = process.argv.indexOf('--screenshot');
const screenshot = at < 0 ? undefined : process.argv[at + 1];
const onlyAt = process.argv.indexOf('--only');
const only = onlyAt < 0 ? undefined : process.argv[onlyAt + 1];
// Started for this run: one needs the providers of the test, the other is restarted.
const OWN = { ...process.env, HERALD_URL: undefined };
const providers = await startProviders();
if (only === undefined || only === 'console')
  await test('the console', OWN, testConsole, { ...FAST_RETRIES, ...providers.settings });
if (only === undefined || only === 'console' || only === 'set-up')
  await test('the set-up pages of the console', OWN, testSetUp, { ...FAST_WEBHOOKS, ...providers.settings });
if (only === undefined || only === 'people')
  // Without API_KEY, the start makes a key and prints the link for the first person.
  await test('people in the console', OWN, testPeople, { API_KEY: '' });
if (only === undefined || only === 'people')
  await test('codes that are demanded', OWN, testDemandedCodes, { API_KEY: '', REQUIRE_TOTP: 'all' });
if (only === undefined || only === 'people' || only === 'sign-on') await testSingleSignOn();
if (only === undefined || only === 'console' || only === 'editor')
  await test('the editor of the console', OWN, testEditor, { ...FAST_RETRIES, ...providers.settings });
if (only === undefined || only === 'console' || only === 'trying')
  await test('trying workflows in the console', OWN, testTrying, { ...FAST_RETRIES, ...providers.settings });
if (only === undefined || only === 'console' || only === 'canvas')
  await test('the canvas of the console', OWN, testCanvas, { ...FAST_RETRIES, ...providers.settings });
await providers.close();
if (only === undefined || only === 'inbox') await test('the inbox', OWN, testInbox);
if (only === undefined || only === 'mails') await test('mails', OWN, testMails, { ALLOW_PRIVATE_URLS: '1' });
if (only === undefined || only === 'plugins')
  await test('a page of a plugin', OWN, testPluginPage, { HERALD_PLUGINS: buildPluginWithPage() });
if (only === undefined || only === 'path') {
  buildDocsSite();
  for (const stripsPath of [true, false]) await testBehindPath(stripsPath);
}
if (only === undefined) {
  await test('the documentation', process.env, (herald) => readTheDocs({ ...herald, browser, screenshot }));
  buildInboxDemo();
  await test('Swagger UI', process.env, testSwagger);
  await test('the published components', OWN, testComponents);
  await test('the bell of the manual', OWN, async (herald) => {
    assert.deepEqual(await useTheBell({ herald, browser }), []);
  });
}

async function test(name, env, run, settings) {
  const one = await findHerald(env, settings);
  const herald = { ...one, client: new Herald({ baseUrl: one.url, apiKey: one.apiKey }) };
  const started = performance.now();
  try {
    await run(herald);
    console.log(`browser test of ${name}: passed (${((performance.now() - started) / 1000).toFixed(1)} s, ${browser})`);
  } catch (error) {
    console.error(`browser test of ${name}: failed\n${error.stack ?? error}`);
    process.exitCode = 1;
  } finally {
    await herald.stop();
  }
}

async function testConsole(herald) {
  assert.deepEqual(await useTheConsole({ herald, providers, browser, screenshot }), []);
}

async function testSetUp(herald) {
  assert.deepEqual(await useTheSetUp({ herald, providers, browser, screenshot }), []);
}

async function testPeople(herald) {
  assert.deepEqual(await signInAsPeople({ herald, browser, screenshot }), []);
}

async function testDemandedCodes(herald) {
  assert.deepEqual(await setUpDemandedCodes({ herald, browser, screenshot }), []);
}

/** The provider has to know the address of Herald before that starts. */
async function testSingleSignOn() {
  const PORT = String(await freePort());
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`;
  const provider = await startLoginProvider({ redirectUri: `${PUBLIC_URL}/sign-in/oidc/callback` });
  const settings = { ...provider.settings, PORT, PUBLIC_URL, OIDC_NAME: 'Keycloak' };
  const use = async (herald) =>
    assert.deepEqual(await signInWithProvider({ herald, provider, browser, screenshot }), []);
  await test('single sign-on', OWN, use, settings);
  await provider.close();
}

/** The proxy has to know the address of Herald, and Herald that of the proxy. */
async function testBehindPath(stripsPath) {
  const name = `a path behind nginx that ${stripsPath ? 'takes it off' : 'keeps it'}`;
  if (nginx === undefined) return void console.log(`browser test of ${name}: skipped. Install nginx, or set NGINX.`);
  const [PORT, port] = [String(await freePort()), await freePort()];
  const PUBLIC_URL = `https://127.0.0.1:${port}/herald`;
  const use = async (herald) => {
    const proxy = await startNginx(nginx, { port, path: '/herald', herald: herald.url, stripsPath });
    await useEverything({ ...herald, url: PUBLIC_URL, browser, screenshot }).finally(proxy.stop);
  };
  await test(name, OWN, use, { PORT, PUBLIC_URL, TRUST_PROXY: 'loopback' });
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function testEditor(herald) {
  assert.deepEqual(await useTheEditor({ herald, providers, browser, screenshot }), []);
}

async function testTrying(herald) {
  assert.deepEqual(await tryWorkflows({ herald, browser, screenshot }), []);
}

async function testInbox(herald) {
  assert.deepEqual(await useTheInbox({ herald, browser, screenshot }), []);
}

async function testPluginPage(herald) {
  assert.deepEqual(await useThePluginPage({ herald, browser, screenshot }), []);
}

async function testMails(herald) {
  await lookAtTheMails({ herald, browser, screenshot });
}

async function testSwagger(herald) {
  const shown = await useThePage({ ...herald, browser, screenshot });
  assert.equal(shown.title, 'Herald API');
  assert.deepEqual(shown.tags.slice(0, 3), ['Events', 'Workflows', 'Subscribers']);
  assert.equal(shown.unfolded, 0, 'operations should come folded');
  assert.equal(shown.subscriber.status, 201, shown.subscriber.text);
  assert.match(shown.subscriber.text, new RegExp(`"subscriberId": *"${shown.subscriberId}"`));
  assert.equal(shown.workflow.status, 201, shown.workflow.text);
  assert.equal(shown.trigger.status, 201, shown.trigger.text);
  assert.match(shown.trigger.text, /"status": *"processed"/);
  assert.equal(shown.feed.status, 200, shown.feed.text);
  assert.match(shown.feed.text, /Hello Ada, order 4711 is on its way\./);
  assert.match(shown.list.text, /"identifier": *"order-shipped"/, 'a list should not be filtered by its examples');
  assert.ok(shown.narrowWidth <= 375, `a phone has to scroll sideways: ${shown.narrowWidth} px`);
  assert.deepEqual(shown.complaints, []);
  const { subscriberId } = shown;
  const stored = await herald.client.subscribers.getSubscriber({ path: { subscriberId } });
  assert.equal(stored.subscriberId, subscriberId);
}

async function testComponents(herald) {
  assert.deepEqual(await useTheComponents({ herald, browser, screenshot }), []);
}

/** The first program of a list that is there. */
function found(paths) {
  return paths.find((path) => path !== undefined && path !== '' && isExecutable(path));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function testCanvas(herald) {
  assert.deepEqual(await useTheCanvas({ herald, browser, screenshot }), []);
}
