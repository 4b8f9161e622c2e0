import { setTimeout as pause } from 'node:timers/promises';
import { Long, MongoClient, startTestServer, type Client, type TestServer } from '../test/support/server.js';

interface Account {
  _id: string;
  owner: string;
  balance: number;
}

const TRANSIENT = new Set(['TransientTransactionError']);
const CONFLICT = { code: 112, codeName: 'WriteConflict', errorLabelSet: TRANSIENT };
const GONE = { code: 251, codeName: 'NoSuchTransaction', errorLabelSet: TRANSIENT };

type Session = ReturnType<Client['startSession']>;

/** For commands as no driver sends them. */
function sessionLike(client: Client, { serverSession }: Session, txnNumber: number): { session: Session } {
  const session = client.startSession();
  Object.assign(session.serverSession, { id: serverSession.id, txnNumber });
  return { session };
}

describe('transactions', () => {
  let running: TestServer;
  let other: Client;

  beforeAll(async () => {
    running = await startTestServer();
    other = await new MongoClient(running.server.uri).connect();
  });

  afterAll(async () => {
    await other.close();
    await running.stop();
  });

  const accountsOf = (client: Client) => client.db('bank').collection<Account>('accounts');
  const accounts = () => accountsOf(running.client);
  const entries = () => running.client.db('bank').collection<{ _id: number; of: string }>('entries');

  beforeEach(async () => {
    await running.client.db('bank').dropDatabase();
    await accounts().createIndexes([
      { key: { owner: 1 }, unique: true, name: 'owner' },
      { key: { balance: 1, _id: 1 }, name: 'balance' },
    ]);
    await accounts().insertMany([
      { _id: 'a', owner: 'anna', balance: 100 },
      { _id: 'b', owner: 'ben', balance: 50 },
      { _id: 'c', owner: 'carla', balance: 10 },
    ]);
  });

  const balances = async (client = running.client): Promise<Record<string, number>> =>
    Object.fromEntries((await accountsOf(client).find().toArray()).map(({ _id, balance }) => [_id, balance]));

  it('should be announced as sessions, and leave writes without a transaction as they were', async () => {
    const hello = await running.client.db('admin').command({ hello: 1 });
    expect(hello).toMatchObject({ logicalSessionTimeoutMinutes: 30 });
    expect(hello).not.toHaveProperty('setName');
    await expect(
      running.client
        .db('bank')
        .command({ insert: 'accounts', documents: [{ _id: 'x' }], txnNumber: Long.fromNumber(1) }),
    ).rejects.toMatchObject({ code: 20, codeName: 'IllegalOperation' });
  });

  it('should store documents of several collections together, also of one that is new', async () => {
    const result = await running.client.withSession((session) =>
      session.withTransaction(async () => {
        await accounts().updateOne({ _id: 'a' }, { $inc: { balance: -30 } }, { session });
        await accounts().findOneAndUpdate({ owner: 'ben' }, { $inc: { balance: 30 } }, { session });
        await entries().insertMany(
          [
            { _id: 1, of: 'a' },
            { _id: 2, of: 'b' },
          ],
          { session },
        );
        await accounts().deleteOne({ _id: 'c' }, { session });
        expect(await balances(other)).toEqual({ a: 100, b: 50, c: 10 });
        expect(await other.db('bank').listCollections({ name: 'entries' }).toArray()).toEqual([]);
        return 'done';
      }),
    );
    expect(result).toBe('done');
    expect(await balances(other)).toEqual({ a: 70, b: 80 });
    expect(await entries().find().sort({ _id: -1 }).toArray()).toEqual([
      { _id: 2, of: 'b' },
      { _id: 1, of: 'a' },
    ]);
    expect(await accounts().estimatedDocumentCount()).toBe(2);
    expect(
      await accounts()
        .find({ balance: { $gt: 75 } }, { hint: 'balance' })
        .toArray(),
    ).toMatchObject([{ _id: 'b' }]);
  });

  it('should show its own writes by every index, in order and counted, and to nobody else', async () => {
    const session = running.client.startSession();
    session.startTransaction();
    await accounts().updateOne({ _id: 'c' }, { $set: { balance: 500 } }, { session });
    await accounts().insertOne({ _id: 'd', owner: 'dora', balance: 75 }, { session });
    await accounts().deleteOne({ owner: 'ben' }, { session });
    const inOrder = accounts().find({}, { session }).sort({ balance: -1 });
    expect((await inOrder.toArray()).map(({ _id }) => _id)).toEqual(['c', 'a', 'd']);
    expect((await accounts().find({}, { session, batchSize: 2 }).sort({ _id: 1 }).toArray()).length).toBe(3);
    expect(await accounts().countDocuments({ balance: { $gte: 75 } }, { session })).toBe(3);
    expect(await accounts().countDocuments({ balance: { $gte: 75 } })).toBe(1);
    expect(await accounts().findOne({ owner: 'ben' }, { session })).toBeNull();
    expect(await accounts().distinct('owner', {}, { session })).toEqual(['anna', 'carla', 'dora']);
    const sum = [{ $group: { _id: null, sum: { $sum: '$balance' } } }];
    expect(await accounts().aggregate(sum, { session }).toArray()).toEqual([{ _id: null, sum: 675 }]);
    expect(await accounts().aggregate(sum).toArray()).toEqual([{ _id: null, sum: 160 }]);
    await session.abortTransaction();
    await session.endSession();
    expect(await balances()).toEqual({ a: 100, b: 50, c: 10 });
  });

  it('should read the state that it began with, whatever is written, dropped and indexed meanwhile', async () => {
    const session = running.client.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    expect(await accounts().findOne({ _id: 'a' }, { session })).toMatchObject({ balance: 100 });
    await accounts().updateOne({ _id: 'b' }, { $set: { balance: 1 } });
    await accounts().createIndex({ owner: 1, balance: 1 });
    await accounts().insertMany(
      Array.from({ length: 500 }, (_, n) => ({ _id: `n${n}`, owner: `o${n}`, balance: n, pad: 'x'.repeat(200) })),
    );
    expect((await accounts().find({ owner: 'ben' }, { session }).toArray())[0]).toMatchObject({ balance: 50 });
    expect(await accounts().countDocuments({}, { session })).toBe(3);
    await accounts().drop();
    const seen = await accounts()
      .find({ balance: { $lt: 60 } }, { session })
      .sort({ balance: 1 })
      .toArray();
    expect(seen.map(({ _id }) => _id)).toEqual(['c', 'b']);
    await accounts().updateOne({ _id: 'a' }, { $set: { balance: 0 } }, { session });
    await expect(session.commitTransaction()).rejects.toMatchObject(CONFLICT);
    await session.endSession();
  });

  it('should fail the second of two transactions that change one document, at once', async () => {
    const [one, two] = [running.client.startSession(), other.startSession()];
    one.startTransaction();
    two.startTransaction();
    await accounts().updateOne({ _id: 'a' }, { $inc: { balance: 1 } }, { session: one });
    await expect(
      accountsOf(other).updateOne({ _id: 'a' }, { $inc: { balance: 2 } }, { session: two }),
    ).rejects.toMatchObject(CONFLICT);
    await expect(accountsOf(other).findOne({}, { session: two })).rejects.toMatchObject({ code: 251 });
    await one.commitTransaction();
    await Promise.all([one.endSession(), two.endSession()]);
    expect(await balances()).toMatchObject({ a: 101 });
  });

  it('should let the driver try a transaction again after a write from outside came first', async () => {
    let attempts = 0;
    await running.client.withSession((session) =>
      session.withTransaction(async () => {
        attempts++;
        const { balance } = await accounts()
          .findOne({ _id: 'a' }, { session })
          .then((found) => found ?? { balance: 0 });
        await accounts().updateOne({ _id: 'a' }, { $set: { balance: balance * 2 } }, { session });
        if (attempts === 1) await accountsOf(other).updateOne({ _id: 'a' }, { $inc: { balance: 1 } });
      }),
    );
    expect(attempts).toBe(2);
    expect(await balances()).toMatchObject({ a: 202 });
  });

  it('should let one of two transactions have a value of a unique index', async () => {
    const [one, two] = [running.client.startSession(), other.startSession()];
    one.startTransaction();
    two.startTransaction();
    await accounts().insertOne({ _id: 'x', owner: 'xaver', balance: 0 }, { session: one });
    await expect(
      accountsOf(other).insertOne({ _id: 'y', owner: 'xaver', balance: 0 }, { session: two }),
    ).rejects.toMatchObject(CONFLICT);
    await two.abortTransaction();
    two.startTransaction();
    await accountsOf(other).insertOne({ _id: 'z', owner: 'zoe', balance: 0 }, { session: two });
    await accounts().insertOne({ _id: 'w', owner: 'zoe', balance: 0 });
    await expect(two.commitTransaction()).rejects.toMatchObject(CONFLICT);
    await one.commitTransaction();
    await Promise.all([one.endSession(), two.endSession()]);
    const owners = await accounts().distinct('owner', { _id: { $gt: 'c' } });
    expect(owners).toEqual(['xaver', 'zoe']);
  });

  it('should check unique indexes on what the transaction has made of them, and store exchanged values', async () => {
    const session = running.client.startSession();
    session.startTransaction();
    const set = (_id: string, owner: string) => accounts().updateOne({ _id }, { $set: { owner } }, { session });
    await set('a', 'nobody');
    await set('b', 'anna');
    await set('a', 'ben');
    await session.commitTransaction();
    expect(await accounts().findOne({ owner: 'anna' })).toMatchObject({ _id: 'b' });
    session.startTransaction();
    await expect(set('c', 'anna')).rejects.toMatchObject({ code: 11000, keyValue: { owner: 'anna' } });
    await expect(set('c', 'unused')).rejects.toMatchObject(GONE);
    await session.endSession();
  });

  const openTransaction = async (client: Client): Promise<Session> => {
    const session = client.startSession();
    session.startTransaction();
    await accountsOf(client).updateOne({ _id: 'a' }, { $inc: { balance: 1 } }, { session });
    return session;
  };
  const changeElsewhere = async (): Promise<void> => {
    await running.client.withSession((session) =>
      session.withTransaction(() => accounts().updateOne({ _id: 'a' }, { $set: { balance: 7 } }, { session })),
    );
  };

  it('should end the transaction of a session that ends, is killed, or whose client is gone', async () => {
    const ended = await openTransaction(other);
    await ended.endSession();
    await changeElsewhere();
    const killed = await openTransaction(other);
    await other.db('admin').command({ killSessions: [killed.id] });
    await expect(killed.commitTransaction()).rejects.toMatchObject(GONE);
    await killed.endSession();
    const leaving = await new MongoClient(running.server.uri).connect();
    await openTransaction(leaving);
    await leaving.close(true);
    await changeElsewhere();
    expect(await balances()).toMatchObject({ a: 7 });
  });

  it('should answer a commit that is asked for again, and refuse what comes after it', async () => {
    const session = await openTransaction(other);
    await session.commitTransaction();
    await session.commitTransaction();
    expect(await balances()).toMatchObject({ a: 101 });
    const number = session.serverSession.txnNumber;
    const again = sessionLike(running.client, session, number);
    const late = { txnNumber: Long.fromNumber(number), autocommit: false };
    const [admin, bank] = [running.client.db('admin'), running.client.db('bank')];
    await expect(admin.command({ abortTransaction: 1 }, again)).rejects.toMatchObject({ code: 256 });
    await expect(bank.command({ find: 'accounts', ...late }, again)).rejects.toMatchObject({ code: 256 });
    await expect(bank.command({ find: 'accounts', ...late, startTransaction: true }, again)).rejects.toMatchObject({
      code: 117,
    });
    const older = sessionLike(running.client, session, number - 1);
    await expect(admin.command({ commitTransaction: 1 }, older)).rejects.toMatchObject({ code: 225 });
    await session.endSession();
  });

  it.each([
    ['count', { count: 'accounts' }],
    ['createIndexes', { createIndexes: 'accounts', indexes: [{ key: { x: 1 }, name: 'x' }] }],
    ['drop', { drop: 'accounts' }],
    ['listCollections', { listCollections: 1 }],
  ])('should refuse %s in a transaction, with what to do', async (name, command) => {
    const session = other.startSession();
    session.startTransaction();
    await expect(other.db('bank').command(command, { session })).rejects.toMatchObject({
      code: 263,
      codeName: 'OperationNotSupportedInTransaction',
      message: `Cannot run '${name}' in a multi-document transaction. Run it before or after the transaction.`,
    });
    await session.endSession();
  });

  it('should refuse what is no transaction', async () => {
    const bank = running.client.db('bank');
    const txnNumber = Long.fromNumber(1);
    const find = { find: 'accounts' };
    await expect(bank.command({ ...find, txnNumber, autocommit: true })).rejects.toMatchObject({ code: 72 });
    await expect(bank.command({ ...find, autocommit: false })).rejects.toMatchObject({ code: 72 });
    await expect(bank.command({ ...find, txnNumber, autocommit: false })).rejects.toMatchObject(GONE);
    await expect(bank.command({ commitTransaction: 1, txnNumber, autocommit: false })).rejects.toMatchObject({
      code: 13,
    });
  });

  it('should refuse what is too much for one transaction', async () => {
    const session = other.startSession();
    session.startTransaction();
    const many = Array.from({ length: 6_000 }, (_, n) => ({ _id: `n${n}`, owner: `o${n}`, balance: n }));
    await expect(accountsOf(other).insertMany(many, { session })).rejects.toMatchObject({ code: 257 });
    await session.endSession();
    expect(await accounts().estimatedDocumentCount()).toBe(3);
  });
});

describe('the time of a transaction', () => {
  it('should end with it, and give others the document', async () => {
    const running = await startTestServer({ transactionLifetimeMs: 50 });
    try {
      const things = running.client.db('x').collection<{ _id: number; n: number }>('things');
      await things.insertOne({ _id: 1, n: 0 });
      const session = running.client.startSession();
      session.startTransaction();
      await things.updateOne({ _id: 1 }, { $set: { n: 1 } }, { session });
      await pause(100);
      await expect(session.commitTransaction()).rejects.toMatchObject(GONE);
      await session.endSession();
      await running.client.withSession((next) =>
        next.withTransaction(() => things.updateOne({ _id: 1 }, { $set: { n: 2 } }, { session: next })),
      );
      expect(await things.findOne()).toEqual({ _id: 1, n: 2 });
    } finally {
      await running.stop();
    }
  });

  it('should know of a commit after a restart of the store', async () => {
    const first = await startTestServer();
    const { directory } = first;
    const session = first.client.startSession();
    session.startTransaction();
    await first.client.db('x').collection('things').insertOne({ n: 1 }, { session });
    await session.commitTransaction();
    await first.client.close();
    await first.server.close();
    const second = await startTestServer({ directory });
    try {
      const number = session.serverSession.txnNumber;
      const admin = second.client.db('admin');
      const again = sessionLike(second.client, session, number);
      expect(await admin.command({ commitTransaction: 1 }, again)).toMatchObject({ ok: 1 });
      const next = sessionLike(second.client, session, number + 1);
      await expect(admin.command({ commitTransaction: 1 }, next)).rejects.toMatchObject(GONE);
      expect(await second.client.db('x').collection('things').countDocuments()).toBe(1);
    } finally {
      await second.stop();
    }
  });
});
