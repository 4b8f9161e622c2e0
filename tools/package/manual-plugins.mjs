import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { firstMessage } from './trial.mjs';

const MANUAL = 'docs/manual/plugins.md';
const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  strictPropertyInitialization: false,
  useDefineForClassFields: false,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  types: ['node'],
};
/** Says where it runs, and brings a module of Nest, so that the thread needs Nest, too. */
const WHERE = `
  import { isMainThread } from 'node:worker_threads';
  import { Module } from '@nestjs/common';
  import { definePlugin } from 'herald/plugin';
  class WhereModule {}
  Module({})(WhereModule);
  const where = () => (isMainThread ? 'process' : 'thread');
  export default definePlugin({ name: 'where', apiVersion: 1, modules: [WhereModule], helpers: { where } });
`;

export const PLUGIN_SETTINGS = {
  HERALD_PLUGINS: './shout.mjs,./note.mjs,./bell.mjs,./rooms.mjs,./where.mjs',
  NOTES_FOLDER: 'notes',
};

/**
 * Saves the plugins of docs/manual/plugins.md in a folder, as its reader does.
 * @returns the names of those in TypeScript, for which there is a tsconfig.json and, not checked, the JavaScript
 */
export function saveManualPlugins(folder) {
  const typed = [];
  mkdirSync(join(folder, 'notes'), { recursive: true });
  writeFileSync(join(folder, 'where.mjs'), WHERE);
  for (const [, name, code] of readFileSync(MANUAL, 'utf8').matchAll(/^```\w+ plugin (\S+)\n(.*?)^```/gms)) {
    writeFileSync(join(folder, name), code);
    if (!name.endsWith('.ts')) continue;
    typed.push(name);
    const compilerOptions = { ...OPTIONS, target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
    delete compilerOptions.moduleResolution;
    const { outputText } = ts.transpileModule(code, { compilerOptions });
    writeFileSync(join(folder, name.replace(/\.ts$/, '.mjs')), outputText);
  }
  const config = { compilerOptions: { ...OPTIONS, noEmit: true }, files: typed };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  return typed;
}

/** Uses everything that the plugins add. @throws {Error} that says what they did not do */
export async function driveManualPlugins({ url, apiKey }, folder) {
  const call = async (method, path, body) => {
    const headers = { authorization: `ApiKey ${apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(`${url}/v1/${path}`, { method, headers, body: body && JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  await call('POST', 'rooms', { name: 'Attic' });
  expectText('the list of rooms', await call('GET', 'rooms'), '"name":"Attic"');
  expectText('a second room of that name', await call('POST', 'rooms', { name: 'Attic' }), 'room_already_exists');
  expectText('a room without a name', await call('POST', 'rooms', {}), '"name must be a string"');
  const bell = { providerId: 'bell', channel: 'sms', active: true, credentials: { apiKey: 'x' } };
  expectText('an incomplete integration', await call('POST', 'integrations', bell), 'credentials.tower is required');

  const { body: groups } = await call('GET', 'notification-groups');
  const workflow = await call('POST', 'workflows', {
    name: 'Noted',
    notificationGroupId: groups.data[0]._id,
    active: true,
    steps: [
      {
        template: { type: 'write-note', input: { text: '{{shout word}}', times: '{{count}}' } },
        filters: [{ children: [{ field: 'word', operator: 'LONGER_THAN', value: 2 }] }],
      },
      // Too many expressions for the event loop.
      { template: { type: 'in_app', content: `{{where}}{{#each words}}${'{{this}}'.repeat(10)}{{/each}}` } },
    ],
  });
  expectText('the workflow', workflow, '"_id"');
  const words = Array.from({ length: 1_500 }, () => 'a');
  await call('POST', 'events/trigger', { name: 'noted', to: 'ada', payload: { word: 'hello', count: 2, words } });
  expectText('the message', (await firstMessage(url, apiKey)).slice(0, 10), 'threadaaaa');
  const notes = readdirSync(join(folder, 'notes')).map((name) => readFileSync(join(folder, 'notes', name), 'utf8'));
  expectText('the notes', notes, 'HELLO!\\nHELLO!');
}

function expectText(what, found, text) {
  const shown = JSON.stringify(found);
  if (!shown.includes(text)) throw new Error(`${what}: ${shown} has no ${text}`);
}
