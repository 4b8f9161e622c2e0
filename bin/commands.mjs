import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { completionScript } from './completion.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const isPackage = !existsSync(join(ROOT, 'tools', 'build.mjs'));

/** How this program is called. Texts that name a command begin with it, also those of `commandLine` in libs/config. */
const PROGRAM = isPackage ? 'herald' : 'npm run herald --';

/** The data of a Herald that runs from the package, unless DATA_DIR names another place. */
const DATA_DIR = './.herald';

/**
 * A line for each command: what it does, its program in the package (below `dist`), the file that `npm pack` makes it of, and what its
 * arguments begin with. Adding a line adds a command. Files of `bin` are in the package as they are.
 */
export const COMMANDS = {
  start: ['starts the API, the delivery worker and the embedded store', 'bundle/main', 'dist/src/main.js'],
  worker: [
    'starts a delivery worker without the API; needs MONGODB_URI',
    'bundle/command',
    'dist/apps/delivery-worker/src/main.js',
  ],
  doctor: [
    'examines store, clock, disk, Redis, providers, and the DNS of senders',
    'bundle/command',
    'dist/apps/admin/src/doctor.js',
  ],
  trigger: [
    'triggers a workflow, and waits for the outcome',
    'bundle/command',
    'dist/apps/admin/src/live.js',
    'trigger',
  ],
  tail: ['follows deliveries live', 'bundle/command', 'dist/apps/admin/src/live.js', 'tail'],
  dev: [
    'watches workflow files, and pushes them when they are saved',
    'bundle/command',
    'dist/apps/admin/src/live.js',
    'dev',
  ],
  mcp: ['connects an agent over standard input and output', 'bundle/command', 'dist/apps/admin/src/live.js', 'mcp'],
  types: [
    'writes the types of all triggers, for TypeScript, Python or agents',
    'bundle/command',
    'dist/apps/admin/src/live.js',
    'types',
  ],
  call: ['calls a route of the running Herald, and prints what it answers', 'call', 'bin/call.mjs'],
  keys: ['manages API keys, and re-encrypts stored secrets', 'bundle/command', 'dist/apps/admin/src/keys.js'],
  backup: [
    'backs up the embedded store, even while Herald is running',
    'bundle/command',
    'dist/apps/admin/src/backup.js',
  ],
  restore: ['restores a backup to a new data directory', 'bundle/command', 'dist/apps/admin/src/restore.js'],
  'db:copy': ['copies the store to MongoDB, or back', 'bundle/command', 'dist/apps/admin/src/copy.js'],
  import: ['takes over the data of Novu from its MongoDB', 'bundle/command', 'dist/apps/admin/src/import.js'],
  'db:migrate': [
    'brings the store to this version, before its processes start',
    'bundle/command',
    'dist/apps/admin/src/migrate.js',
  ],
  'db:indexes': ['updates the indexes of the store', 'bundle/command', 'dist/apps/admin/src/indexes.js'],
  'embedded-mongo': [
    'runs the embedded store as a separate server: --port N --dbpath D',
    'bundle/program',
    'packages/embedded-mongo/dist/program.js',
  ],
  pull: ['exports workflows to files', 'bundle/command', 'dist/apps/admin/src/files.js', 'pull'],
  push: ['imports workflow files', 'bundle/command', 'dist/apps/admin/src/files.js', 'push'],
  promote: ['copies workflows to another environment', 'bundle/command', 'dist/apps/admin/src/files.js', 'promote'],
  test: ['tests workflow files, without network', 'bundle/command', 'dist/apps/admin/src/workflow-tests.js'],
  demo: ['runs an API tour on a temporary instance', 'programs/demo', 'tools/demo/run.mjs'],
  catch: ['receives test emails and chat messages on this machine', 'programs/catch', 'tools/demo/catch.mjs'],
};

/** Runs a command in this process. */
export async function runCommand(words, version) {
  const line = withProfile(words);
  if (line === undefined) return;
  const [name = 'help', ...args] = line;
  if (['--version', '-v', 'version'].includes(name)) return void process.stdout.write(`${version}\n`);
  if (['--help', '-h', 'help'].includes(name)) return void process.stdout.write(help(version));
  if (name === 'completion') return printCompletion(args);
  if (!Object.hasOwn(COMMANDS, name)) {
    process.stderr.write(`herald: '${name}' is not a command.${suggestion(name)}\n\n${help(version)}`);
    process.exitCode = 2;
    return;
  }
  if (hasNoUsage(name) && args.some((arg) => ['--help', '-h'].includes(arg))) {
    return void process.stdout.write(`Usage: ${PROGRAM} ${name}\n\n${meaningOf(name)}\n`);
  }
  process.env.HERALD_COMMAND = PROGRAM;
  if (isPackage) useFolder(name);
  const program = isPackage ? packedProgram(name) : await builtProgram(name);
  const [, , file, ...first] = COMMANDS[name];
  process.argv = [process.argv[0], join(ROOT, file), ...first, ...args];
  stopWithShell();
  stopWhileLoading(name);
  const { run } = await import(pathToFileURL(program).href);
  await run?.(file);
}

/**
 * Reads the settings of a profile, before those of `.env`: variables that are set already win.
 * @returns the command line without `--profile`, or undefined if there is no such profile
 */
function withProfile([first, second, ...rest]) {
  const [, inline] = /^--profile=(.*)$/.exec(first ?? '') ?? [];
  const isNamed = first === '--profile' || inline !== undefined;
  const profile = isNamed ? (inline ?? second) : process.env.HERALD_PROFILE;
  const line = !isNamed ? [first, second, ...rest] : inline === undefined ? rest : [second, ...rest];
  if (isNamed || profile) {
    const file = `.env.${profile}`;
    if (!/^[\w-]+$/.test(profile ?? '') || !existsSync(file)) {
      process.stderr.write(
        `herald: there is no profile '${profile ?? ''}'. A profile is a file such as .env.production in the working folder, with ` +
          'settings like HERALD_URL and HERALD_API_KEY.\n',
      );
      process.exitCode = 2;
      return undefined;
    }
    readSettings(file);
  }
  return line.filter((word) => word !== undefined);
}

/** As libs/config does: without the byte order mark with which some editors begin a file. What is set already wins. */
function readSettings(file) {
  const settings = parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
  for (const [name, value] of Object.entries(settings)) process.env[name] ??= value;
}

function printCompletion([shell]) {
  const script = completionScript(shell, Object.entries(COMMANDS));
  if (script !== undefined) return void process.stdout.write(script);
  process.stderr.write(`herald: name the shell: '${PROGRAM} completion bash' or '${PROGRAM} completion zsh'.\n`);
  process.exitCode = 2;
}

/** The other programs print a usage of their own. */
function hasNoUsage(name) {
  return ['start', 'worker', 'db:indexes', 'embedded-mongo'].includes(name);
}

function meaningOf(name) {
  const [meaning] = COMMANDS[name];
  return `${meaning[0].toUpperCase()}${meaning.slice(1)}. Configure it with environment variables or a .env file.`;
}

function packedProgram(name) {
  const [, , file] = COMMANDS[name];
  if (isPlain(file)) return join(ROOT, file);
  return join(ROOT, 'dist', `${COMMANDS[name][1]}.js`);
}

const isPlain = (file) => file.startsWith('bin/');

/** In a clone: builds what is stale. */
async function builtProgram(name) {
  const [, program, file] = COMMANDS[name];
  if (isPlain(file)) return join(ROOT, file);
  const { ensureBuilt } = await import(new URL('../tools/build.mjs', import.meta.url).href);
  const isOfTests = file.startsWith('tools/');
  ensureBuilt(isOfTests ? 'all' : 'run');
  return isOfTests ? join(ROOT, file) : join(ROOT, 'dist', `${program}.js`);
}

/** The data lies in the working folder, where `.env` is, too, and not in the package, which a new version replaces. */
function useFolder(command) {
  // Read here, because a variable that is set wins over this file.
  if (existsSync('.env')) readSettings('.env');
  const { env } = process;
  env.HERALD_PROGRAM = packedProgram('start');
  if (env.DATA_DIR) return;
  env.DATA_DIR = DATA_DIR;
  if (command === 'start') keepOutOfGit(DATA_DIR);
}

function keepOutOfGit(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (existsSync(join(folder, '.gitignore'))) return;
  writeFileSync(join(folder, '.gitignore'), '*\n');
}

/** npm forwards a signal to the shell that it started, but not to Herald; Herald stops when the shell has ended. */
export function stopWithShell() {
  if (!['start', 'herald', 'demo', 'npx'].includes(process.env.npm_lifecycle_event)) return;
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

/**
 * Until a program has loaded, nothing else answers to a signal, which the first process of a container would ignore. What runs until it is
 * stopped has ended well.
 */
function stopWhileLoading(name) {
  const isServer = ['start', 'worker'].includes(name);
  if (process.pid !== 1 && !isServer) return;
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      if (process.listenerCount(signal) === 0) process.exit(isServer ? 0 : 128 + constants.signals[signal]);
    });
  }
}

/** The command that was probably meant, by its beginning or its letters. */
function suggestion(name) {
  const sorted = (text) => [...text].sort().join('');
  const found = Object.keys(COMMANDS).find(
    (command) => command.startsWith(name) || name.startsWith(command) || sorted(command) === sorted(name),
  );
  return found === undefined ? '' : ` Did you mean '${PROGRAM} ${found}'?`;
}

function help(version) {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length)) + 2;
  const lines = Object.entries(COMMANDS).map(([name, [meaning]]) => `  ${name.padEnd(width)}${meaning}`);
  return `Herald ${version}: notification delivery in one process

Usage: ${PROGRAM} <command> [options]

${lines.join('\n')}

  completion bash|zsh   print the completion for a shell: eval "$(herald completion bash)"

  --profile NAME   before a command: read the settings of .env.NAME first, as HERALD_PROFILE does
  --version        print the version
  --help           print this help; after a command, print its options

Configure Herald with environment variables or a .env file in the working directory. The most important ones are DATA_DIR, the
directory of the embedded store and the generated keys (default: ${isPackage ? DATA_DIR : './.data'}), PORT (default: 3000) and
MONGODB_URI, which makes Herald use MongoDB instead of the embedded store.
`;
}
