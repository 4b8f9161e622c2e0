import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { createWorkflow, firstMessage } from './trial.mjs';

const MANUAL = 'docs/manual/plugins.md';
/** A linked package. Its helper says where it runs, its step waits once, and it brings a module of Nest, so that the thread needs Nest, too. */
const WHERE = `
  import { isMainThread } from 'node:worker_threads';
  import { Module } from '@nestjs/common';
  import { definePlugin, defineStep, z } from 'herald/plugin';
  class WhereModule {}
  Module({})(WhereModule);
  const where = () => (isMainThread ? 'process' : 'thread');
  const pause = defineStep({
    type: 'pause',
    input: z.object({}),
    run: async ({ isResumed, now }) => (isResumed ? undefined : { status: 'waiting', until: new Date(+now + 50) }),
  });
  export default definePlugin({ name: 'where', apiVersion: 1, modules: [WhereModule], helpers: { where }, steps: [pause] });
`;

export const PLUGIN_SETTINGS = {
  HERALD_PLUGINS: './shout.mjs,./note.mjs,./bell.mjs,./rooms.mjs,herald-plugin-where',
  NOTES_FOLDER: 'notes',
};

/** What its reader installs for types, beside the package of Herald. */
export function packagesOfManual() {
  const [, line] = /^npm install --save-dev \.\/herald-\S+ (.*?)^```/ms.exec(readFileSync(MANUAL, 'utf8'));
  return line.split(/[\s\\]+/).filter((name) => name !== '');
}

/** Saves the files of docs/manual/plugins.md in a folder, as its reader does, and compiles those in TypeScript without a check. */
export function saveManualPlugins(folder) {
  for (const name of ['notes', 'where', 'node_modules']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'where', 'index.js'), WHERE);
  writeFileSync(join(folder, 'where', 'package.json'), '{ "type": "module", "exports": "./index.js" }');
  symlinkSync('../where', join(folder, 'node_modules', 'herald-plugin-where'));
  const files = [...readFileSync(MANUAL, 'utf8').matchAll(/^```\w+ plugin (\S+)\n(.*?)^```/gms)];
  for (const [, name, code] of files) writeFileSync(join(folder, name), code);
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), (path) => readFileSync(path, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  for (const name of config.files) {
    const path = join(folder, name);
    const { outputText } = ts.transpileModule(readFileSync(path, 'utf8'), { compilerOptions: options, fileName: path });
    writeFileSync(path.replace(/ts$/, 'js'), outputText);
  }
}

/** Uses everything that the plugins add. @throws {Error} that says what they did not do */
export async function driveManualPlugins({ client }, folder) {
  const createRoom = (body) => client.request('POST', '/v1/rooms', { body });
  await createRoom({ name: 'Attic' });
  expectText('the list of rooms', await client.request('GET', '/v1/rooms'), '"name":"Attic"');
  expectText('a second room of that name', await refusalOf(createRoom({ name: 'Attic' })), 'room_already_exists');
  expectText('a room without a name', await refusalOf(createRoom({})), '"name is required and must be a string"');
  const bell = { providerId: 'bell', channel: 'sms', active: true, credentials: { apiKey: 'x' } };
  const incomplete = await refusalOf(client.integrations.createIntegration({ body: bell }));
  expectText('an incomplete integration', incomplete, 'credentials.tower is required');

  const workflow = await createWorkflow(client, 'Noted', [
    {
      template: { type: 'write-note', input: { text: '{{shout word}}', times: '{{count}}' } },
      filters: [{ children: [{ field: 'word', operator: 'LONGER_THAN', value: 2 }] }],
    },
    { template: { type: 'pause', input: {} } },
    // Too many expressions for the event loop.
    { template: { type: 'in_app', content: `{{where}}{{#each words}}${'{{this}}'.repeat(10)}{{/each}}` } },
  ]);
  expectText('the workflow', workflow, '"_id"');
  const words = Array.from({ length: 1_500 }, () => 'a');
  const payload = { word: 'hello', count: 2, words };
  await client.events.triggerEvent({ body: { name: 'noted', to: 'ada', payload } });
  expectText('the message', (await firstMessage(client)).slice(0, 10), 'threadaaaa');
  const notes = readdirSync(join(folder, 'notes')).map((name) => readFileSync(join(folder, 'notes', name), 'utf8'));
  expectText('the notes', notes, 'HELLO!\\nHELLO!');
}

/** The body of the error. */
const refusalOf = (call) =>
  call.then(
    (answer) => answer,
    ({ body }) => body,
  );

function expectText(what, found, text) {
  const shown = JSON.stringify(found);
  if (!shown.includes(text)) throw new Error(`${what}: ${shown} has no ${text}`);
}
