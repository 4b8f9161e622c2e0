import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DataDirLockedError, launchEmbeddedMongo } from '../src/index.js';
import { DIST, EXECUTABLE, PROGRAM } from './support/paths.js';
import { MongoClient } from './support/server.js';

const gone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // a process that is not waited for stays as a zombie
    return existsSync(`/proc/${pid}/stat`) && readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return true;
  }
};

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 120_000; performance.now() < deadline;) {
    if (await holds()) return;
    await new Promise((done) => setTimeout(done, 20));
  }
  throw new Error(`never happened: ${what}`);
}

const isLinux = existsSync('/proc/sys/kernel/random/boot_id');

/** This machine, in a container with the given namespace of process numbers. */
function hostWith(namespace: string): string {
  return `${hostname()}/${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${namespace}`;
}

describe('launchEmbeddedMongo', () => {
  if (!existsSync(PROGRAM)) {
    it.skip('needs the compiled program; build first', () => undefined);
    return;
  }
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'embedded-launch-'));
  });

  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('should keep data between runs', async () => {
    for (const expected of [0, 1]) {
      const store = await launchEmbeddedMongo({ dataDir });
      const client = await new MongoClient(store.uri).connect();
      const things = client.db('x').collection('things');
      expect(await things.countDocuments()).toBe(expected);
      await things.insertOne({ run: expected });
      await client.close();
      await store.stop();
      expect(gone(store.pid as number)).toBe(true);
      expect(existsSync(join(dataDir, 'store/store.lock'))).toBe(false);
    }
  });

  it('should refuse a second process on the same data and leave the first alone', async () => {
    const store = await launchEmbeddedMongo({ dataDir });
    const second = launchEmbeddedMongo({ dataDir });
    await expect(second).rejects.toBeInstanceOf(DataDirLockedError);
    // The process that started the store: it would start the store again if that were stopped.
    await expect(second).rejects.toThrow(`is in use by process ${process.pid} on`);
    const client = await new MongoClient(store.uri).connect();
    expect(await client.db('x').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await client.close();
    await store.stop();
  });

  it.each([
    ['a dead process', { pid: 2 ** 22 + 1, started: '1' }],
    ['another process with the same number', { pid: process.pid, started: 'long ago' }],
  ])('should take over a lock of %s', async (_, owner) => {
    mkdirSync(join(dataDir, 'store'), { recursive: true });
    const host = isLinux ? hostWith(readlinkSync('/proc/self/ns/pid')) : hostname();
    writeFileSync(join(dataDir, 'store/store.lock'), JSON.stringify({ token: 't', host, ...owner }));
    const store = await launchEmbeddedMongo({ dataDir });
    await store.stop();
  });

  (isLinux ? it : it.skip)('should refuse the data of a live container with the same name and numbers', async () => {
    mkdirSync(join(dataDir, 'store'), { recursive: true });
    const file = join(dataDir, 'store/store.lock');
    const owner = { pid: 13, launcher: 1, started: '1' };
    writeFileSync(file, JSON.stringify({ token: 't', host: hostWith('pid:[1]'), ...owner }));
    const heartbeat = setInterval(() => utimesSync(file, new Date(), new Date()), 50);
    try {
      await expect(launchEmbeddedMongo({ dataDir })).rejects.toThrow('is in use by process 1 on');
    } finally {
      clearInterval(heartbeat);
    }
  });

  it('should restart a crashed store once, at the same address, and give up at the second crash', async () => {
    const fatal: Error[] = [];
    const store = await launchEmbeddedMongo({ dataDir, onFatal: (error) => fatal.push(error) });
    const [uri, pid] = [store.uri, store.pid as number];
    const client = await new MongoClient(uri, { serverSelectionTimeoutMS: 10_000 }).connect();
    const things = client.db('x').collection<{ n: number }>('things');
    await things.insertOne({ n: 1 });
    process.kill(pid, 'SIGKILL');
    await until(() => store.pid !== pid, 'a new process');
    await until(
      () =>
        things.countDocuments().then(
          (n) => n === 1,
          () => false,
        ),
      'the pool heals',
    );
    expect(store.uri).toBe(uri);
    expect(fatal).toEqual([]);
    process.kill(store.pid as number, 'SIGKILL');
    await until(() => fatal.length > 0, 'onFatal');
    expect(fatal[0]?.message).toContain('twice within a minute');
    await client.close();
    await store.stop();
  });

  it('should not outlive a parent that was killed, and let the next one start', async () => {
    const script = `import { launchEmbeddedMongo } from ${JSON.stringify(pathToFileURL(join(DIST, 'index.js')).href)};
      const store = await launchEmbeddedMongo({ dataDir: ${JSON.stringify(dataDir)} });
      console.log(store.pid);
      setInterval(() => undefined, 1000);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await new Promise<number>((done) =>
      parent.stdout.once('data', (text: Buffer) => done(Number(text.toString()))),
    );
    parent.kill('SIGKILL');
    await until(() => gone(pid), 'the store ends');
    const store = await launchEmbeddedMongo({ dataDir });
    await store.stop();
  });
});

describe('the program', () => {
  if (!existsSync(PROGRAM)) {
    it.skip('needs the compiled program; build first', () => undefined);
    return;
  }

  const run = async (...args: string[]): Promise<{ code: number | null; out: string }> => {
    const child = spawn(EXECUTABLE, args);
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (out += text.toString()));
    const code = await new Promise<number | null>((done) => child.once('close', done));
    return { code, out };
  };

  it('should show a version line that tools know', async () => {
    expect(await run('--version')).toMatchObject({
      code: 0,
      out: expect.stringContaining('db version v7.0.14') as string,
    });
  });

  it.each([
    [['--bind_ip', '0.0.0.0'], 'loopback only'],
    [['--replSet', 'rs0'], '--replSet is not supported'],
    [['--port', 'x'], 'needs a whole number'],
    [[], '--dbpath'],
  ])('should refuse %j', async (args, text) => {
    expect(await run(...args)).toMatchObject({ code: 2, out: expect.stringContaining(text) as string });
  });

  it('should report a port in use as tools expect it', async () => {
    const directories = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'embedded-port-')));
    const first = spawn(EXECUTABLE, [
      '--port',
      '0',
      '--dbpath',
      directories[0] as string,
      '--storageEngine',
      'wiredTiger',
      '--noauth',
      '--bind_ip',
      '127.0.0.1',
    ]);
    const line = await new Promise<string>((done) =>
      first.stdout.once('data', (text: Buffer) => done(text.toString())),
    );
    expect(line).toMatch(/waiting for connections/i);
    const { port } = JSON.parse(line) as { port: number };
    expect(await run('--port', String(port), '--dbpath', directories[1] as string)).toMatchObject({
      code: 48,
      out: expect.stringContaining('address already in use') as string,
    });
    first.kill('SIGTERM');
    expect(await new Promise((done) => first.once('close', done))).toBe(0);
    directories.forEach((directory) => rmSync(directory, { recursive: true, force: true }));
  });
});
