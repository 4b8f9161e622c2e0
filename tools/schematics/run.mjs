import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../build.mjs';
import { addChannel } from './channel.mjs';
import { UsageError } from './names.mjs';
import { addPlugin } from './plugin.mjs';
import { addResource } from './resource.mjs';
import { addStep } from './step.mjs';
import { Tree } from './tree.mjs';

const text = { type: 'string' };
const GENERATORS = {
  resource: {
    usage: 'npm run generate -- resource <name in the singular> [--plural <name>] [--wing <wing of src>]',
    options: { plural: text, wing: text },
    run: (tree, [name], options) => addResource(tree, name, options),
    changesDocs: true,
  },
  step: {
    usage: 'npm run generate -- step <name of the type>',
    options: {},
    run: (tree, [name]) => addStep(tree, name),
    changesDocs: true,
  },
  channel: {
    usage:
      'npm run generate -- channel <email|sms|chat|push> <provider id> --docs <URL> [--base <URL of the API>] [--name <text>]',
    options: { docs: text, base: text, name: text },
    run: (tree, [channel, id], options) => addChannel(tree, channel, id, options),
    changesDocs: true,
  },
  plugin: {
    usage: 'npm run generate -- plugin <name> --folder <folder of the new package> [--kind provider|step|resource]',
    options: { folder: text, kind: text },
    run: (_tree, [name], options) => addPlugin(name, options),
  },
  'plugin-types': {
    usage: 'npm run generate -- plugin-types',
    options: {},
    // It loads the compiler.
    run: async () => [`dist/plugin-types: ${(await import('../plugin-types.mjs')).writePluginTypes()} files written`],
  },
};

const [kind = '', ...args] = process.argv.slice(2);
if (Object.hasOwn(GENERATORS, kind)) {
  await generate(GENERATORS[kind]);
} else {
  const usages = Object.values(GENERATORS).map(({ usage }) => usage);
  console.error(`Usage: ${usages.join('\n       ')}`);
  process.exitCode = 1;
}

async function generate({ usage, options, run, changesDocs = false }) {
  try {
    // --code-only: without what is generated from a build
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { ...options, 'code-only': { type: 'boolean' } },
    });
    for (const path of await run(new Tree(ROOT), positionals, values)) console.log(path);
    if (changesDocs && values['code-only'] !== true) writeDocs();
  } catch (error) {
    if (!(error instanceof UsageError) && !error.code?.startsWith('ERR_PARSE_ARGS')) throw error;
    console.error(`${error.message}\nUsage: ${usage}`);
    process.exitCode = 1;
  }
}

/** Like `npm run docs`. */
function writeDocs() {
  for (const [program, ...rest] of [['tools/checks/openapi.mjs', '--write'], ['tools/docs/write.mjs']]) {
    const { status } = spawnSync(process.execPath, [join(ROOT, program), ...rest], { cwd: ROOT, stdio: 'inherit' });
    if (status !== 0) process.exitCode = 1;
  }
}
