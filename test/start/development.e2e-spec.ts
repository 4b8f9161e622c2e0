import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { TEST_KEY } from '../support/started-herald.js';

const NEEDED = [
  'package.json',
  'package-lock.json',
  'nest-cli.json',
  'tsconfig.json',
  'tsconfig.app.json',
  'tsconfig.base.json',
  'openapi.json',
  'src',
  'libs',
  'apps',
  'packages',
  'tools',
  'dist',
];
const ERRORS = 'src/content/feeds/feeds.errors.ts';
const PROGRAM = 'dist/dev/main.js';
/** A few seconds on a machine that does nothing else. Building Herald takes longer than this. */
const WITHIN_MS = 60_000;

describe('npm run start:dev', () => {
  let folder: string;
  let url: string;
  let program: ChildProcess;
  let output = '';

  const edit = (path: string, change: (text: string) => string): void => {
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8');
    const changed = change(text);
    if (changed === text) throw new Error(`The edit of ${path} changes nothing.`);
    writeFileSync(file, changed);
  };
  const textOf = async (path: string): Promise<string> => (await fetch(url + path)).text();
  const lackOfFeed = async (): Promise<string> => {
    const headers = { authorization: `ApiKey ${TEST_KEY}` };
    const answer = await fetch(`${url}/v1/feeds/64b000000000000000000000`, { method: 'DELETE', headers });
    return answer.text();
  };
  const consoleScript = async (): Promise<string> => {
    const [path = ''] = /\/console\/assets\/console-[^"]+\.js/.exec(await textOf('/console')) ?? [];
    return textOf(path);
  };

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'herald-development-')));
    // With its times, by which a build knows that it is up to date.
    execFileSync('cp', ['-a', ...NEEDED, folder]);
    rmSync(join(folder, PROGRAM), { force: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const port = await freePort('127.0.0.1');
    url = `http://127.0.0.1:${port}`;
    program = spawn(process.execPath, ['tools/dev.mjs'], {
      cwd: folder,
      env: {
        PORT: String(port),
        API_KEY: TEST_KEY,
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'error',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [program.stdout, program.stderr])
      stream?.on('data', (part: Buffer) => (output += part.toString()));
  });

  afterAll(async () => {
    program.kill('SIGTERM');
    if (program.exitCode === null) await once(program, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  it('should answer with what was saved, also with what was saved while it started', async () => {
    await eventually(() => expect(existsSync(join(folder, PROGRAM))).toBe(true), WITHIN_MS);
    edit(ERRORS, (text) => text.replace('List them with GET', 'Edited: list them with GET'));
    await eventually(async () => expect(await lackOfFeed()).toContain('Edited: list them'), WITHIN_MS);
    expect(readFileSync(join(folder, PROGRAM), 'utf8')).toContain('sourceMappingURL=');
  });

  it('should follow files of a new folder, and one that an editor replaces', async () => {
    mkdirSync(join(folder, 'src/content/feeds/texts'));
    writeFileSync(join(folder, 'src/content/feeds/texts/hint.ts'), "export const HINT = 'New: list them with GET';\n");
    const replaced = readFileSync(join(folder, ERRORS), 'utf8')
      .replace('Edited: list them with GET', '${HINT}')
      .replace(/^/, "import { HINT } from './texts/hint.js';\n");
    writeFileSync(join(folder, `${ERRORS}~`), replaced);
    renameSync(join(folder, `${ERRORS}~`), join(folder, ERRORS));
    await eventually(async () => expect(await lackOfFeed()).toContain('New: list them'), WITHIN_MS);
    edit('src/content/feeds/texts/hint.ts', (text) => text.replace('New:', 'Edited:'));
    await eventually(async () => expect(await lackOfFeed()).toContain('Edited: list them'), WITHIN_MS);
  });

  it('should name a fault of the syntax, go on with what ran before, and follow the next change', async () => {
    edit(ERRORS, (text) => `${text}\nconst = ;\n`);
    await eventually(() => expect(output).toMatch(/feeds\.errors\.ts.*error.*TS1134/s), WITHIN_MS);
    expect(await lackOfFeed()).toContain('Edited: list them');
    edit(ERRORS, (text) => text.replace('\nconst = ;\n', '').replace('${HINT}', 'Mended: list them with GET'));
    await eventually(async () => expect(await lackOfFeed()).toContain('Mended: list them'), WITHIN_MS);
  });

  it('should serve the console and the inbox as they were saved, with their source maps', async () => {
    edit('apps/console/src/main.tsx', (text) => `${text}\ndocument.documentElement.dataset['edited'] = 'here';\n`);
    edit('packages/inbox/src/script.ts', (text) => `${text}\nexport const EDITED = 'here';\n`);
    await eventually(async () => {
      const [script, inbox] = [await consoleScript(), await textOf('/inbox/herald-inbox.js')];
      expect(script).toMatch(/edited[^\n]*here/);
      expect(inbox).toContain('EDITED');
      for (const text of [script, inbox]) expect(text).toContain('sourceMappingURL=data:application/json');
    }, WITHIN_MS);
  });
});
