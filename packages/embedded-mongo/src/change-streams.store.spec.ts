import type { Timestamp } from 'bson';
import { startTestServer, type TestServer } from '../test/support/server.js';

interface Row {
  _id: number;
  n?: number;
  text?: string;
}

type Event = Record<string, unknown>;

describe('change streams', () => {
  let running: TestServer;

  beforeEach(async () => {
    running = await startTestServer();
  });

  afterEach(async () => {
    await running.stop();
  });

  const rows = () => running.client.db('watched').collection<Row>('rows');
  const waiting = { maxAwaitTimeMS: 100 };
  type Stream = ReturnType<ReturnType<typeof rows>['watch']>;

  const open = async (stream: Stream): Promise<Stream> => {
    expect(await stream.tryNext()).toBeNull();
    return stream;
  };
  const take = async (stream: Stream, count: number): Promise<Event[]> => {
    const events: Event[] = [];
    while (events.length < count) events.push(await stream.next());
    return events;
  };
  const typesOf = (events: Event[]): unknown[] => events.map(({ operationType }) => operationType);

  it('should tell of every change of a collection, with its fields, in the order in which they were stored', async () => {
    const stream = await open(rows().watch([], waiting));
    await rows().insertOne({ _id: 1, n: 1, text: 'a' });
    await running.client.db('watched').collection('others').insertOne({});
    await rows().updateOne({ _id: 1 }, { $set: { n: 2 }, $unset: { text: '' } });
    await rows().replaceOne({ _id: 1 }, { n: 3 });
    await rows().deleteOne({ _id: 1 });
    const events = await take(stream, 4);
    const ns = { db: 'watched', coll: 'rows' };
    const documentKey = { _id: 1 };
    expect(events).toMatchObject([
      { operationType: 'insert', ns, documentKey, fullDocument: { _id: 1, n: 1, text: 'a' } },
      { operationType: 'update', documentKey, updateDescription: { updatedFields: { n: 2 }, removedFields: ['text'] } },
      { operationType: 'replace', documentKey, fullDocument: { _id: 1, n: 3 } },
      { operationType: 'delete', documentKey },
    ]);
    expect(new Set(events.map(({ _id }) => JSON.stringify(_id))).size).toBe(4);
    await stream.close();
  });

  it('should tell of a transaction when it is stored, and of none that is given up', async () => {
    const stream = await open(rows().watch([], waiting));
    const session = running.client.startSession();
    session.startTransaction();
    await rows().insertOne({ _id: 1 }, { session });
    expect(await stream.tryNext()).toBeNull();
    await session.abortTransaction();
    await session.withTransaction(() => rows().insertMany([{ _id: 2 }, { _id: 3 }], { session }));
    await session.endSession();
    expect((await take(stream, 2)).map(({ documentKey }) => documentKey)).toEqual([{ _id: 2 }, { _id: 3 }]);
    await expect(rows().insertOne({ _id: 2 })).rejects.toMatchObject({ code: 11000 });
    expect(await stream.tryNext()).toBeNull();
    await stream.close();
  });

  it('should tell of a database, look documents up, and end with what it watches', async () => {
    const database = await open(running.client.db('watched').watch([], waiting));
    const stream = await open(
      rows().watch([{ $match: { operationType: { $ne: 'insert' } } }], { ...waiting, fullDocument: 'updateLookup' }),
    );
    await rows().insertOne({ _id: 1, n: 1 });
    await rows().updateOne({ _id: 1 }, { $inc: { n: 1 } });
    await rows().updateOne({ _id: 1 }, { $inc: { n: 1 } });
    const updates = await take(stream, 2);
    expect(updates.map(({ fullDocument }) => fullDocument)).toEqual([
      { _id: 1, n: 3 },
      { _id: 1, n: 3 },
    ]);
    await rows().drop();
    expect(typesOf(await take(stream, 2))).toEqual(['drop', 'invalidate']);
    await running.client.db('watched').collection('later').insertOne({});
    expect(typesOf(await take(database, 5))).toEqual(['insert', 'update', 'update', 'drop', 'insert']);
    await Promise.all([stream.close(), database.close()]);
  });

  it('should go on after a token, and refuse one from before a restart or of which too much has happened', async () => {
    const stream = await open(rows().watch([], waiting));
    await rows().insertMany([{ _id: 1 }, { _id: 2 }, { _id: 3 }]);
    const [first] = await take(stream, 1);
    await stream.close();
    const again = rows().watch([], { ...waiting, resumeAfter: first?._id });
    expect((await take(again, 2)).map(({ documentKey }) => documentKey)).toEqual([{ _id: 2 }, { _id: 3 }]);
    const since = rows().watch([], { ...waiting, startAtOperationTime: first?.clusterTime as Timestamp });
    expect(await take(since, 3)).toHaveLength(3);
    await rows().insertMany(Array.from({ length: 10_001 }, (_, n) => ({ _id: n + 10 })));
    const lost = rows().watch([], { ...waiting, resumeAfter: first?._id });
    await expect(lost.next()).rejects.toMatchObject({ code: 286 });
    const foreign = { _data: `${'0'.repeat(16)}${'0'.repeat(14)}` };
    await expect(rows().watch([], { resumeAfter: foreign }).next()).rejects.toMatchObject({ code: 286 });
    await expect(
      rows()
        .watch([], { resumeAfter: { _data: 'x' } })
        .next(),
    ).rejects.toMatchObject({ code: 260 });
    await Promise.all([again.close(), since.close()]);
  });

  it('should end where a pipeline leaves out the _id, of which a token is made', async () => {
    const stream = await open(rows().watch([{ $project: { _id: 0 } }], waiting));
    await rows().insertOne({ _id: 1 });
    await expect(stream.next()).rejects.toMatchObject({
      code: 280,
      errorLabelSet: new Set(['NonResumableChangeStreamError']),
    });
  });

  it.each([
    [
      'a stage that joins events',
      [{ $changeStream: {} }, { $group: { _id: null } }],
      /not permitted in a \$changeStream/,
    ],
    [
      'a document before the change',
      [{ $changeStream: { fullDocumentBeforeChange: 'required' } }],
      /keep what the program/,
    ],
    ['another place than the first', [{ $match: {} }, { $changeStream: {} }], /Unrecognized pipeline stage/],
  ])('should refuse %s', async (_what, pipeline, message) => {
    const command = { aggregate: 'rows', pipeline, cursor: {} };
    await expect(running.client.db('watched').command(command)).rejects.toThrow(message);
  });
});
