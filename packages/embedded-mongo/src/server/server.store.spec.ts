import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { BSON, startTestServer, type TestServer } from '../../test/support/server.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

/** One OP_MSG with a command document. */
function message(command: Record<string, unknown>): Buffer {
  const body = BSON.serialize(command);
  const frame = Buffer.alloc(21 + body.length);
  frame.writeInt32LE(frame.length, 0);
  frame.writeInt32LE(7, 4);
  frame.writeInt32LE(2013, 12);
  frame.set(body, 21);
  return frame;
}

/** A raw array of one document. */
function wrapped(document: Uint8Array): Buffer {
  const array = Buffer.concat([Buffer.alloc(4), Buffer.from([3, 48, 0]), document, Buffer.alloc(1)]);
  array.writeInt32LE(array.length, 0);
  return array;
}

describe('server', () => {
  let running: TestServer;

  beforeAll(async () => {
    running = await startTestServer();
  });

  afterAll(async () => {
    await running.stop();
  });

  const open = async (): Promise<Socket> => {
    const socket = connect(running.server.address);
    await new Promise((resolve) => socket.once('connect', resolve));
    return socket;
  };

  /** The first answer, or that the connection is closed. */
  const talk = async (bytes: Buffer): Promise<'closed' | Record<string, unknown>> => {
    const socket = await open();
    const answer = new Promise<'closed' | Record<string, unknown>>((resolve) => {
      let all = Buffer.alloc(0);
      socket.on('data', (piece: Buffer) => {
        all = Buffer.concat([all, piece]);
        const size = all.length < 4 ? Infinity : all.readInt32LE(0);
        if (all.length >= size) resolve(BSON.deserialize(all.subarray(21, size)));
      });
      socket.on('close', () => resolve('closed'));
      socket.on('error', () => resolve('closed'));
    });
    socket.write(bytes);
    const result = await answer;
    socket.destroy();
    return result;
  };

  const ping = message({ ping: 1, $db: 'admin' });
  const alive = async (): Promise<void> => expect(await talk(ping)).toMatchObject({ ok: 1 });

  it('should put a message together from single bytes', async () => {
    const socket = await open();
    const answer = new Promise<Buffer>((resolve) => socket.once('data', resolve));
    for (const byte of ping) socket.write(Buffer.from([byte]));
    expect(BSON.deserialize((await answer).subarray(21))).toMatchObject({ ok: 1 });
    socket.destroy();
  });

  it('should answer messages that come in one piece in their order', async () => {
    const socket = await open();
    const found: number[] = [];
    const done = new Promise<void>((resolve) =>
      socket.on('data', (piece: Buffer) => {
        for (let at = 0; at < piece.length; at += piece.readInt32LE(at)) found.push(piece.readInt32LE(at + 8));
        if (found.length === 3) resolve();
      }),
    );
    const frames = [1, 2, 3].map((id) => {
      const frame = Buffer.from(ping);
      frame.writeInt32LE(id, 4);
      return frame;
    });
    socket.write(Buffer.concat(frames));
    await done;
    expect(found).toEqual([1, 2, 3]);
    socket.destroy();
  });

  it.each([
    ['a size below the header', Buffer.from([4, 0, 0, 0, 0, 0, 0, 0])],
    ['a size beyond the limit', Buffer.from([255, 255, 255, 127, 0, 0, 0, 0])],
    ['an unknown opcode', Buffer.concat([ping.subarray(0, 12), Buffer.from([1, 0, 0, 0]), ping.subarray(16)])],
    ['unknown required flags', Buffer.concat([ping.subarray(0, 16), Buffer.from([4, 0, 0, 0]), ping.subarray(20)])],
    [
      'a section that reaches too far',
      Buffer.concat([ping.subarray(0, 21), Buffer.from([99, 0, 0, 0]), ping.subarray(25)]),
    ],
    ['no terminator', Buffer.concat([ping.subarray(0, ping.length - 1), Buffer.from([1])])],
  ])('should close a connection with %s, and no other', async (_, bytes) => {
    expect(await talk(bytes)).toBe('closed');
    await alive();
  });

  it('should not answer a message that wants no answer', async () => {
    const silent = Buffer.from(ping);
    silent.writeUInt32LE(2, 16);
    const socket = await open();
    const answer = new Promise<Buffer>((resolve) => socket.once('data', resolve));
    const asking = Buffer.from(ping);
    asking.writeInt32LE(8, 4);
    socket.write(Buffer.concat([silent, asking]));
    expect((await answer).readInt32LE(8)).toBe(8);
    socket.destroy();
  });

  it('should survive any damage to a message', async () => {
    const insert = message({ insert: 'fuzz', documents: [{ a: 1, b: ['x', { c: 2 }] }], $db: 'fuzz', ordered: true });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 4, max: insert.length - 1 }), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (damage) => {
          const bytes = Buffer.from(insert);
          for (const [at, byte] of damage) bytes[at] = byte;
          // A flag may say that no answer is wanted; the ping behind it is answered all the same.
          const answer = await talk(Buffer.concat([bytes, ping]));
          expect(answer === 'closed' || typeof answer.ok === 'number').toBe(true);
        },
      ),
      { numRuns: 300 },
    );
    await alive();
    // whatever was stored can be read again
    await running.client.db('fuzz').collection('fuzz').find().toArray();
    await running.client.db('fuzz').collection('fuzz').find({ 'b.c': 2 }).sort({ a: 1 }).toArray();
  });

  it('should refuse documents that are nested too deep', async () => {
    let deep: Record<string, unknown> = {};
    for (let i = 0; i < 150; i++) deep = { a: deep };
    const things = running.client.db('limits').collection('things');
    await expect(things.insertOne(deep)).rejects.toMatchObject({ code: 15 });
    await expect(things.updateOne({ _id: 1 } as never, { $set: { deep } }, { upsert: true })).rejects.toMatchObject({
      code: 15,
    });
    let raw = BSON.serialize({});
    for (let i = 0; i < 5000; i++) {
      const head = Buffer.from([0, 0, 0, 0, 3, 97, 0]);
      raw = Buffer.concat([head, raw, Buffer.alloc(1)]);
      (raw as Buffer).writeInt32LE(raw.length, 0);
    }
    const body = Buffer.concat([
      Buffer.alloc(4),
      Buffer.from('\x02insert\0\x02\0\0\0x\0\x02$db\0\x02\0\0\0x\0\x04documents\0', 'latin1'),
      wrapped(raw),
      Buffer.alloc(1),
    ]);
    body.writeInt32LE(body.length, 0);
    const frame = Buffer.concat([ping.subarray(0, 21), body]);
    frame.writeInt32LE(frame.length, 0);
    expect(await talk(frame)).toMatchObject({ writeErrors: [{ code: 15 }] });
    await alive();
  });

  it('should refuse documents over 16 MB', async () => {
    const things = running.client.db('limits').collection('large');
    await things.insertOne({ _id: 1, text: 'x'.repeat(15 * 1024 * 1024) } as never);
    const grow = things.updateOne({ _id: 1 } as never, { $set: { more: 'x'.repeat(2 * 1024 * 1024) } });
    await expect(grow).rejects.toMatchObject({ code: 10334 });
  });

  it('should name an unknown command, option and stage', async () => {
    const db = running.client.db('limits');
    await expect(db.command({ frobnicate: 1 })).rejects.toMatchObject({ code: 59, codeName: 'CommandNotFound' });
    await expect(db.command({ find: 'x', frobnicate: 1 })).rejects.toMatchObject({ code: 40415 });
    await expect(db.command({ create: 'x', collation: { locale: 'de' } })).rejects.toMatchObject({ code: 238 });
    await expect(db.command({ ping: 1, apiVersion: '2' })).rejects.toMatchObject({ code: 322 });
    await expect(db.command({ ping: 1, apiStrict: true })).rejects.toMatchObject({ code: 72 });
    expect(await db.command({ ping: 1, apiVersion: '1', apiStrict: true })).toMatchObject({ ok: 1 });
    await expect(db.command({ find: 'x', apiVersion: '1', apiStrict: true })).rejects.toMatchObject({ code: 238 });
    await expect(db.command({ bulkWrite: 1, ops: [], nsInfo: [] })).rejects.toMatchObject({ code: 13 });
    await expect(db.command({ createUser: 'x' })).rejects.toThrow(/has no users/);
    await expect(db.command({ find: 'x', startTransaction: true, txnNumber: 1 })).rejects.toMatchObject({ code: 20 });
  });

  it('should end a command whose time is over', async () => {
    const things = running.client.db('limits').collection('slow');
    await things.insertMany(Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(50) })));
    await expect(things.find({ text: { $regex: 'y$' } }, { maxTimeMS: 1 }).toArray()).rejects.toMatchObject({
      code: 50,
    });
    await expect(things.updateMany({ text: 'y' }, { $set: { n: 1 } }, { maxTimeMS: 1 })).rejects.toMatchObject({
      code: 50,
    });
  });

  it('should change many documents without an index beside other clients', async () => {
    const things = running.client.db('limits').collection('many');
    await things.insertMany(Array.from({ length: 12_000 }, (_, n) => ({ n, state: 'new' })));
    const [many, one] = await Promise.all([
      things.updateMany({ state: 'new' }, { $set: { state: 'old' } }),
      things.findOneAndUpdate({ n: 11_999 }, { $set: { mark: true } }, { returnDocument: 'after' }),
    ]);
    expect(many).toMatchObject({ matchedCount: 12_000, modifiedCount: 12_000 });
    expect(one).toMatchObject({ n: 11_999, mark: true });
    expect((await things.deleteMany({ state: 'old' })).deletedCount).toBe(12_000);
  });

  it('should answer what shells and tools ask on connecting', async () => {
    const admin = running.client.db('admin');
    for (const command of [
      { hello: 1 },
      { isMaster: 1 },
      { buildInfo: 1 },
      { hostInfo: 1 },
      { serverStatus: 1 },
      { connectionStatus: 1 },
      { whatsmyuri: 1 },
      { getLog: 'startupWarnings' },
      { getParameter: 1, featureCompatibilityVersion: 1 },
      { getCmdLineOpts: 1 },
      { logout: 1 },
      { listDatabases: 1 },
    ]) {
      expect(await admin.command(command)).toMatchObject({ ok: 1 });
    }
    const db = running.client.db('tools');
    await db.createCollection('made');
    await expect(db.createCollection('made')).rejects.toMatchObject({ code: 48 });
    expect(await db.command({ collStats: 'made' })).toMatchObject({ count: 0, nindexes: 1 });
    expect(await db.command({ dbStats: 1 })).toMatchObject({ collections: 1 });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['made']);
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
  });
});
