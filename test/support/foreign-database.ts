import { mongo } from 'mongoose';

const id = (n: number): mongo.ObjectId => new mongo.ObjectId(n.toString(16).padStart(24, '0'));
const AT = new Date('2024-10-24T12:00:00Z');
const times = { createdAt: AT, updatedAt: AT, __v: 0 };
const owner = { _organizationId: id(1), _environmentId: id(2) };
const record = (n: number, fields: object): mongo.Document => ({ _id: id(n), ...owner, ...fields, ...times });

/** Data as the compatible system keeps it. Much of it would break unique indexes of Herald, or be removed by a migration. */
const COLLECTIONS: Readonly<Record<string, readonly mongo.Document[]>> = {
  organizations: [{ _id: id(1), name: 'Acme', apiServiceLevel: 'free', ...times }],
  environments: [2, 3, 4].map((n) => ({
    _id: id(n),
    _organizationId: id(1),
    name: 'Development',
    identifier: 'same-application',
    apiKeys: [{ key: 'nvsk.0123', hash: 'abcd', _userId: id(10) }],
    ...times,
  })),
  users: [10, 11].map((n) => ({ _id: id(n), firstName: 'Ada', email: 'ada@example.com', tokens: [], ...times })),
  members: [{ _id: id(12), _organizationId: id(1), _userId: id(10), roles: ['admin'], ...times }],
  notificationgroups: [record(20, { name: 'General' })],
  notificationtemplates: [
    record(30, { name: 'Welcome', active: true, triggers: [{ identifier: 'welcome' }], steps: [], deleted: false }),
  ],
  messagetemplates: [record(31, { type: 'in_app', content: 'Welcome, {{firstName}}!', deleted: false })],
  controlvalues: [record(32, { level: 'step_controls', controls: { body: 'Hello {{payload.name}}' } })],
  integrations: [40, 41].map((n) =>
    record(n, { providerId: 'novu', channel: 'in_app', active: true, credentials: { hmac: false }, deleted: false }),
  ),
  subscribers: [
    record(50, { subscriberId: 'ada', email: 'ada@example.com', channels: [], deleted: false }),
    record(51, { subscriberId: 'gone', deleted: true, deletedAt: AT }),
    record(52, { subscriberId: 'gone', deleted: true, deletedAt: AT }),
  ],
  preferences: ['WORKFLOW_RESOURCE', 'USER_WORKFLOW'].map((type, n) =>
    record(60 + n, { _templateId: id(30), type, preferences: { all: { enabled: true } } }),
  ),
  subscriberpreferences: [record(62, { _subscriberId: id(50), _templateId: id(30), level: 'template', enabled: true })],
  topics: [70, 71].map((n) => record(n, { key: 'team', name: 'Team' })),
  layouts: [72, 73].map((n) => record(n, { name: 'Plain', identifier: 'plain', isDefault: true, deleted: false })),
  feeds: [74, 75].map((n) => record(n, { name: 'News', identifier: 'news', deleted: false })),
  tenants: [76, 77].map((n) => record(n, { identifier: 'acme', name: 'Acme' })),
  notifications: [record(80, { _templateId: id(30), _subscriberId: id(50), transactionId: 't1', status: 'active' })],
  jobs: [record(81, { _notificationId: id(80), type: 'digest', status: 'delayed', digest: { amount: 5 } })],
  messages: [
    record(90, { _subscriberId: id(50), channel: 'in_app', seen: false, content: 'Welcome!', expireAt: AT }),
    record(91, { _subscriberId: id(50), channel: 'in_app', seen: true, content: 'Bye', expireAt: AT }),
  ],
  executiondetails: [record(92, { _jobId: id(81), status: 'Success', raw: '{}' })],
};

export const FOREIGN_NAMES: readonly string[] = Object.keys(COLLECTIONS).sort();

export async function fillForeign(db: mongo.Db): Promise<void> {
  for (const [name, rows] of Object.entries(COLLECTIONS)) {
    const collection = db.collection(name);
    await collection.createIndex({ _organizationId: 1, createdAt: -1 });
    await collection.insertMany([...rows]);
  }
  await db.createCollection('changes');
}

/** Every byte of a database: records, collections with their options, and indexes. */
export async function bytesOf(db: mongo.Db): Promise<Record<string, unknown>> {
  const infos = (await db.listCollections().toArray()).sort((a, b) => a.name.localeCompare(b.name));
  const found: Record<string, unknown> = {};
  for (const info of infos) {
    const rows = await db.collection(info.name).find({}, { raw: true }).sort({ _id: 1 }).toArray();
    const indexes = (await db.collection(info.name).listIndexes().toArray()) as object[];
    found[info.name] = {
      info,
      rows: rows.map((row) => (row as unknown as Buffer).toString('hex')),
      indexes: indexes.map((index) => JSON.stringify(index)).sort(),
    };
  }
  return found;
}
