import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './support/paths.js';
import { MongoClient } from './support/server.js';

describe('a disk that takes no more', () => {
  if (!existsSync(PROGRAM) || process.platform === 'win32') {
    it.skip('needs the compiled program and a POSIX shell', () => undefined);
    return;
  }

  it('should be answered with an error for the write only, and reads and the stored data should stay', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'embedded-full-'));
    // a limit on the size of files makes writes fail as a full disk does, without the right to mount one; its signal is ignored
    const script = `trap '' XFSZ; ulimit -f 8000; exec "${process.execPath}" "${PROGRAM}" --port 0 --dbpath "${directory}"`;
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const line = await new Promise<string>((done) =>
      child.stdout.once('data', (text: Buffer) => done(text.toString())),
    );
    const { port } = JSON.parse(line) as { port: number };
    const client = await new MongoClient(`mongodb://127.0.0.1:${port}`).connect();
    const things = client.db('x').collection<{ n: number; pad: string }>('things');
    await things.createIndex({ n: 1 });
    let stored = 0;
    const fill = async (): Promise<void> => {
      for (; stored < 2000; stored++) await things.insertOne({ n: stored, pad: 'x'.repeat(20_000) });
    };
    await expect(fill()).rejects.toThrow('could not be stored');
    expect(stored).toBeGreaterThan(50);
    expect(await things.countDocuments({ n: { $gte: 0 } })).toBe(stored);
    expect(await things.estimatedDocumentCount()).toBe(stored);
    expect(await things.find({}, { projection: { n: 1 } }).toArray()).toHaveLength(stored);
    await expect(
      things.insertMany([
        { n: -1, pad: 'y'.repeat(200_000) },
        { n: -2, pad: 'y'.repeat(200_000) },
      ]),
    ).rejects.toThrow('could not be stored');
    expect(await things.findOne({ n: stored - 1 }, { projection: { _id: 0, n: 1 } })).toEqual({ n: stored - 1 });
    await client.close();
    child.kill('SIGTERM');
    expect(await new Promise((done) => child.once('close', done))).toBe(0);
    rmSync(directory, { recursive: true, force: true });
  });
});
