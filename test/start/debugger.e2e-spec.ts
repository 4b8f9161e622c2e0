import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap, type SourceMapping, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'undici';
import { TEST_KEY } from '../support/started-herald.js';

const SOURCE = 'src/audience/subscribers/subscribers.service.ts';
const STATEMENT = 'await this.known.find(';

interface Script {
  readonly url: string;
  readonly sourceMapURL: string;
}

interface Place {
  readonly url: string;
  readonly lineNumber: number;
  readonly columnNumber: number;
}

interface Paused {
  readonly hitBreakpoints: readonly string[];
  readonly callFrames: readonly { readonly callFrameId: string }[];
}

/** What a debugger does, over the protocol of the inspector. */
class Debugger {
  private readonly listeners = new Set<(message: Message) => void>();
  private last = 0;

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as Message;
      for (const listener of this.listeners) listener(message);
    });
  }

  static async attach(url: string): Promise<Debugger> {
    const socket = new WebSocket(url);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return new Debugger(socket);
  }

  async call<T>(method: string, params: object = {}): Promise<T> {
    const id = (this.last += 1);
    const answered = this.next((message) => message.id === id);
    this.socket.send(JSON.stringify({ id, method, params }));
    return (await answered).result as T;
  }

  async event<T>(method: string): Promise<T> {
    return (await this.next((message) => message.method === method)).params as T;
  }

  on(method: string, listener: (params: unknown) => void): void {
    this.listeners.add((message) => message.method === method && listener(message.params));
  }

  private next(isWanted: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const listener = (message: Message): void => {
        if (!isWanted(message)) return;
        this.listeners.delete(listener);
        resolve(message);
      };
      this.listeners.add(listener);
    });
  }
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

/** Where the program has a line of a source file, as its source maps say. */
function placeOf(scripts: readonly Script[], source: string, line: number): Place | undefined {
  for (const { url, sourceMapURL } of scripts) {
    const map = new SourceMap(JSON.parse(readFileSync(new URL(sourceMapURL, url), 'utf8')) as SourceMapPayload);
    if (!map.payload.sources.some((path) => path.endsWith(source))) continue;
    const lines = readFileSync(new URL(url), 'utf8').split('\n');
    for (const [lineNumber, text] of lines.entries()) {
      const columnNumber = text.search(/\S/);
      // Parts that come from no source have an empty one.
      const { originalSource, originalLine } = map.findEntry(lineNumber, columnNumber) as Partial<SourceMapping>;
      if (originalSource?.endsWith(source) && originalLine === line) return { url, lineNumber, columnNumber };
    }
  }
  return undefined;
}

describe('the built program', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'herald-debugger-'));
  let child: ChildProcess;
  const printed = async (stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> => {
    let text = '';
    for await (const chunk of child[stream] ?? []) {
      text += String(chunk);
      const [, found] = pattern.exec(text) ?? [];
      if (found !== undefined) return found;
    }
    throw new Error(`The program ended: ${text}`);
  };

  beforeAll(() => {
    child = spawn(process.execPath, ['--inspect=127.0.0.1:0', join('dist', 'bundle', 'main.js')], {
      env: { PORT: '0', DATA_DIR: dataDir, API_KEY: TEST_KEY, LOG_LEVEL: 'error' },
    });
  });
  afterAll(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  it('should stop at a breakpoint in TypeScript, and name lines of TypeScript in stack traces', async () => {
    const [inspector, herald] = await Promise.all([
      printed('stderr', /(ws:\/\/\S+)/),
      printed('stdout', /^ {2}Herald +(http\S+)/m),
    ]);
    const client = await Debugger.attach(inspector);
    const scripts: Script[] = [];
    client.on('Debugger.scriptParsed', (script) => scripts.push(script as Script));
    await client.call('Debugger.enable');
    const joined = scripts.filter(({ url }) => url.includes('/dist/bundle/') && fileURLToPath(url).endsWith('.js'));
    const line = readFileSync(SOURCE, 'utf8')
      .split('\n')
      .findIndex((text) => text.includes(STATEMENT));
    const place = placeOf(joined, SOURCE, line);
    const { breakpointId } = await client.call<{ breakpointId: string }>('Debugger.setBreakpointByUrl', place);
    const paused = client.event<Paused>('Debugger.paused');
    const headers = { authorization: `ApiKey ${TEST_KEY}` };
    const answered = fetch(`${herald}/v1/subscribers/nobody`, { headers });
    const { hitBreakpoints, callFrames } = await paused;
    expect(hitBreakpoints).toEqual([breakpointId]);
    const [frame] = callFrames;
    const { result } = await client.call<{ result: { value: string } }>('Debugger.evaluateOnCallFrame', {
      callFrameId: frame?.callFrameId,
      expression: 'new Error().stack',
    });
    expect(result.value).toContain(`/${SOURCE}:${line + 1}:`);
    await client.call('Debugger.resume');
    expect((await answered).status).toBe(404);
  });
});
