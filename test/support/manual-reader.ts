import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { freePort } from './free-port.js';
import type { TestApp } from '../harness/index.js';
import { eventually } from './eventually.js';
import { blocksOf, type Block, type Example, examplesOf, settingsOf } from './manual-page.js';
import { containsShown, differenceOf } from './shown-result.js';
import { StartedHerald } from './started-herald.js';
import type { Settings } from './test-api.js';

const SHELL = 'bash';
/** Programs besides Node that examples use. */
const PROGRAMS = [SHELL, 'curl', 'openssl', 'python3'];

/** What the pages call the addresses of Herald and of the catcher. */
const HERALD_URL = 'http://127.0.0.1:3000';
const CATCHER = 'tools/demo/catch.mjs';
const MAIL_PORT = '2525';
const CHAT_URL = 'http://127.0.0.1:2580';
/** Of the programs that receive webhooks. */
const RECEIVER_PORT = '8787';
/** It runs in the folder of the clone, where the reader is and the test is not. */
const COMMAND = 'npm run -s herald --';
const SHORT_COMMAND = 'npx herald ';
const HERALD = `'${process.execPath}' '${join(process.cwd(), 'bin', 'herald.mjs')}' `;
/** Starts Herald, and has the preludes of all. */
const FIRST_PAGE = 'tutorial.md';
const WITHIN_MS = 60_000;

/** @returns a program that the page needs and this machine does not have */
export function missingProgram(page: string): string | undefined {
  const preludes = blocksOf(FIRST_PAGE).filter(({ purpose }) => purpose === 'prelude');
  const blocks = [...preludes, ...examplesOf(page).map(({ block }) => block)];
  const code = blocks.flatMap((block) => (block.language === 'sh' ? [block.code] : []));
  const needed = PROGRAMS.filter((name) => name === SHELL || code.some((text) => new RegExp(`\\b${name} `).test(text)));
  return needed.find((name) => !isThere(name));
}

const looked = new Map<string, boolean>();

/** Pages need the same programs. */
function isThere(program: string): boolean {
  const found = looked.get(program) ?? spawnSync(program, ['--version']).error === undefined;
  looked.set(program, found);
  return found;
}

/** The Herald that a page talks to. */
interface ReadersHerald {
  readonly url: string;
  end(): Promise<unknown>;
}

/** Finds, or starts, the application with these settings. */
export type ApplicationWith = (settings: Settings) => Promise<TestApp>;

/**
 * Follows a page of the manual as its reader does: in a shell, in a folder of its own. The page that begins with a start, and those that have
 * a plugin, start the built program; the others are in an organization of their own of an application with the settings that they name.
 */
export class ManualReader {
  private files = 0;

  private constructor(
    private readonly folder: string,
    private readonly herald: ReadersHerald,
    private readonly shell: Program,
    private readonly catcher: Program | undefined,
    private readonly addresses: ReadonlyMap<string, string>,
  ) {}

  static async start(page: string, applicationWith: ApplicationWith): Promise<ManualReader> {
    const folder = mkdtempSync(join(tmpdir(), 'herald-manual-'));
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    for (const { purpose, name = '', code } of blocksOf(page)) if (purpose === 'plugin') saveIn(folder, name, code);
    const startsIt = page === FIRST_PAGE || blocksOf(page).some(({ purpose }) => purpose === 'plugin');
    const herald = await (startsIt
      ? startHerald(page, folder)
      : joinHerald(await applicationWith(settingsOf(page)), folder));
    const addresses = new Map([
      [HERALD_URL, herald.url],
      [COMMAND, HERALD],
      [SHORT_COMMAND, HERALD],
      [RECEIVER_PORT, String(await freePort('127.0.0.1'))],
    ]);
    const needsCatcher = blocksOf(page).some(({ purpose }) => purpose === 'caught');
    const catcher = needsCatcher ? await startCatcher(folder, addresses) : undefined;
    const shell = new Program(SHELL, ['--noprofile', '--norc'], folder);
    // Commands without an address talk to the port that a start without settings has.
    await shell.execute(`export HERALD_URL='${herald.url}'`);
    const reader = new ManualReader(folder, herald, shell, catcher, addresses);
    for (const block of blocksOf(FIRST_PAGE).filter(({ purpose }) => purpose === 'prelude')) {
      if (block.name === undefined) await shell.execute(reader.addressed(block.code));
      else reader.save(block.name, block.code);
    }
    return reader;
  }

  /** Executes an example and compares its result with what the page shows. @throws {Error} where they differ */
  async follow({ block, shown }: Example): Promise<void> {
    const attempt = async (): Promise<void> => compare(await this.execute(block), shown);
    await (block.purpose === 'eventually' ? eventually(attempt, WITHIN_MS) : attempt());
    for (const { purpose, code } of shown) if (purpose === 'caught') await this.mustCatch(code);
  }

  async end(): Promise<void> {
    await Promise.all([this.herald.end(), this.shell.end(), this.catcher?.end()]);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }

  private async execute({ language, code }: Block): Promise<string> {
    if (language === 'sh') return this.shell.execute(this.addressed(code));
    this.files += 1;
    const file = this.save(`example-${this.files}.ts`, code);
    return this.shell.execute(`'${process.execPath}' ${file} 2>&1`);
  }

  /** Saves a file as the runtime can load it. @returns its name */
  private save(name: string, code: string): string {
    return saveIn(this.folder, name, this.addressed(code));
  }

  private addressed(code: string): string {
    return [...this.addresses].reduce((text, [shown, actual]) => text.replaceAll(shown, actual), code);
  }

  private mustCatch(code: string): Promise<void> {
    return eventually(() => {
      const printed = this.catcher?.printed ?? '';
      if (!containsShown(code, printed)) throw new Error(`The catcher printed:\n${printed}\nbut not:\n${code}`);
    }, WITHIN_MS);
  }
}

async function startHerald(page: string, folder: string): Promise<ReadersHerald> {
  const herald = await StartedHerald.start(join(folder, '.data'), settingsOf(page), folder);
  await herald.welcome();
  return { url: herald.url, end: () => herald.end('SIGKILL') };
}

/** The reader finds the key where Herald would have written it. */
async function joinHerald(shared: TestApp, folder: string): Promise<ReadersHerald> {
  mkdirSync(join(folder, '.data'));
  writeFileSync(join(folder, '.data', 'api-key'), `${(await shared.session()).apiKey}\n`);
  return { url: shared.url, end: () => Promise.resolve() };
}

function saveIn(folder: string, name: string, code: string): string {
  if (name.endsWith('.json')) {
    writeFileSync(join(folder, name), code);
    return name;
  }
  const compilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ES2022,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
  };
  const { outputText } = ts.transpileModule(code, { compilerOptions });
  const file = name.replace(/\.m?ts$/, '.mjs');
  writeFileSync(join(folder, file), outputText.replace(/'(\.\/[\w-]+)\.ts'/g, "'$1.mjs'"));
  return file;
}

function compare(output: string, shown: readonly Block[]): void {
  const answer = shown.find(({ purpose }) => purpose === 'answer');
  const text = shown.find(({ purpose }) => purpose === 'output');
  const last = jsonLines(output).at(-1);
  if (answer !== undefined) {
    const difference = differenceOf(JSON.parse(answer.code), last);
    if (difference !== undefined) throw new Error(difference);
  } else {
    const failed = jsonLines(output).find((line) => ((line as { statusCode?: number } | null)?.statusCode ?? 0) >= 400);
    if (failed !== undefined || /^\w*Error: /m.test(output)) throw new Error(`It failed: ${output}`);
  }
  if (text !== undefined && !containsShown(text.code, output)) {
    throw new Error(`The page shows:\n${text.code}\nbut it printed:\n${output}`);
  }
}

function jsonLines(output: string): unknown[] {
  return output
    .split('\n')
    .flatMap((line) => (/^[{[]/.test(line) && isJson(line) ? [JSON.parse(line) as unknown] : []));
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

async function startCatcher(folder: string, addresses: Map<string, string>): Promise<Program> {
  const program = new Program(process.execPath, [join(process.cwd(), CATCHER), '--mail', '0', '--chat', '0'], folder);
  await eventually(() => {
    const [, port] = /port (\d+)/.exec(program.printed) ?? [];
    const [, url] = /(http:\/\/[^/\s]+)/.exec(program.printed) ?? [];
    if (port === undefined || url === undefined) throw new Error(`The catcher does not run: ${program.printed}`);
    addresses.set(MAIL_PORT, port).set(CHAT_URL, url);
  }, WITHIN_MS);
  return program;
}

/** A program that runs in the folder of the reader until the page is finished. */
class Program {
  private readonly child: ChildProcess;
  private commands = 0;
  printed = '';

  constructor(program: string, args: readonly string[], cwd: string) {
    const env = { PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`, NO_COLOR: '1' };
    this.child = spawn(program, args, { cwd, env, stdio: 'pipe' });
    this.child.stdout?.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
    this.child.stderr?.on('data', (chunk: Buffer) => (this.printed += chunk.toString()));
  }

  /** For a shell. @returns what the commands print */
  async execute(commands: string): Promise<string> {
    this.commands += 1;
    const end = `end of command ${this.commands}`;
    const from = this.printed.length;
    this.child.stdin?.write(`${commands}\necho; echo '${end}'\n`);
    return eventually(() => {
      const at = this.printed.indexOf(end, from);
      if (at < 0) throw new Error(`This did not end:\n${commands}\n${this.printed.slice(from)}`);
      return this.printed.slice(from, at).trim();
    });
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
  }
}
