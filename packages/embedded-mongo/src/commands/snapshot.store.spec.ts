import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { type RunningServer, startServer } from '../server/server.js';

let directory: string;
let server: RunningServer;
let client: mongo.MongoClient;
const open = async (path: string): Promise<[RunningServer, mongo.MongoClient]> => {
  const started = await startServer({
    directory: path,
    listen: { port: 0 },
    log: () => undefined,
    flush: false,
    onShutdown: () => undefined,
  });
  return [started, await new mongo.MongoClient(started.uri).connect()];
};
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'snapshot-'));
  [server, client] = await open(directory);
});
afterEach(async () => {
  await client.close();
  await server.close();
  rmSync(directory, { recursive: true, force: true });
});

describe('snapshot', () => {
  it('should write the state of one moment while writes go on, with their indexes', async () => {
    const rows = client.db('d').collection('c');
    await rows.createIndex({ n: 1 }, { unique: true });
    let written = 0;
    let isDone = false;
    const writing = (async () => {
      while (!isDone) await rows.insertOne({ n: written++, text: 'x'.repeat(500) });
    })();
    while (written < 200) await new Promise((resolve) => setTimeout(resolve, 1));
    const before = written - 1;
    const { directory: snapshot } = await client.db('admin').command({ snapshot: 1 });
    isDone = true;
    await writing;

    expect(String(snapshot)).toMatch(directory);
    const [other, reader] = await open(String(snapshot));
    const copied = reader.db('d').collection('c');
    const numbers = (await copied.find().sort({ n: 1 }).hint({ n: 1 }).toArray()).map(({ n }) => n as number);
    expect(numbers).toEqual(numbers.map((_n, at) => at));
    expect(numbers.length).toBeGreaterThanOrEqual(before);
    expect(await copied.countDocuments()).toBe(numbers.length);
    await expect(copied.insertOne({ n: 0 })).rejects.toMatchObject({ code: 11000 });
    await reader.close();
    await other.close();
  });

  it('should remove snapshots that no client took, after a day', async () => {
    const [old, recent] = ['old', 'recent'].map((name) => join(directory, 'snapshots', name)) as [string, string];
    for (const path of [old, recent]) mkdirSync(path, { recursive: true });
    utimesSync(old, 0, 0);
    await client.db('admin').command({ snapshot: 1 });
    expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
  });

  it('should be refused on another database', async () => {
    await expect(client.db('d').command({ snapshot: 1 })).rejects.toMatchObject({ code: 13 });
  });
});
