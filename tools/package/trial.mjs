import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Herald } from '@herald/client';

const READY_WITHIN_MS = 120_000;
const END_WITHIN_MS = 30_000;

/** The command `herald` of an installed package, as an operator uses it in a folder. */
export class Trial {
  /**
   * @param {string[]} command that runs the package, such as `['npx', './herald-0.2.0.tgz']`
   * @param {string} folder the working folder
   * @param {Record<string, string>} settings
   */
  constructor(command, folder, settings = {}) {
    this.command = command;
    this.folder = folder;
    this.settings = settings;
  }

  /** Runs a command to its end. */
  run(...args) {
    const [program, ...first] = this.command;
    const { status, stdout, stderr } = spawnSync(program, [...first, ...args], {
      ...this.#options,
      encoding: 'utf8',
      timeout: END_WITHIN_MS,
    });
    return { status, out: stdout, err: stderr };
  }

  /** Starts Herald, and gives its address, a client with its API key and what stops it. */
  async start() {
    // A fixed one, by which other commands find the running Herald.
    this.port ??= await freePort();
    const [program, ...first] = this.command;
    const child = spawn(program, [...first, 'start'], { ...this.#options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    const ended = once(child, 'exit');
    const output = await welcomeOf(child);
    const stop = async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    };
    const url = /^ *Herald +(http\S+)$/m.exec(output)[1];
    const apiKey = readFileSync(join(this.folder, '.herald', 'api-key'), 'utf8').trim();
    return { url, output, stop, client: new Herald({ baseUrl: url, apiKey }) };
  }

  /** Runs the embedded store on its own while `work` uses it. */
  async withStore(work) {
    const port = await freePort();
    const [program, ...first] = this.command;
    const dbpath = join(this.folder, '.herald', 'store');
    const args = [...first, 'embedded-mongo', '--port', String(port), '--dbpath', dbpath];
    this.child = spawn(program, args, { ...this.#options, stdio: 'ignore' });
    const ended = once(this.child, 'exit');
    await work(`mongodb://127.0.0.1:${port}/?directConnection=true`);
    this.child.kill('SIGTERM');
    await ended;
  }

  /** Ends a Herald that is left running. */
  end() {
    this.child?.kill('SIGKILL');
  }

  get #options() {
    const { PATH, HOME, npm_config_cache } = process.env;
    return {
      cwd: this.folder,
      env: { PATH, HOME, npm_config_cache, PORT: String(this.port ?? 0), LOG_LEVEL: 'error', ...this.settings },
    };
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

function welcomeOf(child) {
  let output = '';
  return new Promise((resolve, reject) => {
    const fail = (reason) => reject(new Error(`${reason}:\n${output}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('not ready in time');
    }, READY_WITHIN_MS);
    const read = (chunk) => {
      output += chunk;
      if (!/^ *API key .+\n\n/m.test(output)) return;
      clearTimeout(timer);
      resolve(output);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => fail(`ended with code ${code}`));
  });
}

/** Triggers a workflow and returns the text of the message that arrives. */
export async function deliver({ client }) {
  await createWorkflow(client, 'From a package', [
    { template: { type: 'in_app', content: 'Hello {{subscriber.firstName}}' } },
  ]);
  const to = { subscriberId: 'ada', firstName: 'Ada' };
  await client.events.triggerEvent({ body: { name: 'from-a-package', to } });
  return firstMessage(client);
}

/** Creates an active workflow. */
export async function createWorkflow(client, name, steps) {
  return client.workflows.createWorkflow({ body: { name, active: true, steps } });
}

/** The delivery creates the subscriber. */
function noneYet(error) {
  if (error.code === 'subscriber_not_found') return [];
  throw error;
}

/** The text of the newest message of the subscriber, as soon as it is there. */
export async function firstMessage(client) {
  for (let tries = 0; tries < 200; tries++) {
    const feed = client.messagesOfASubscriber.getFeed({ path: { subscriberId: 'ada' } });
    const [message] = await feed.catch(noneYet);
    if (message !== undefined) return message.content;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('No message arrived within 20 seconds.');
}
