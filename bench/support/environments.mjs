// Environments beyond those that Herald creates itself: the store gets them as Herald stores them.
import { createHash, randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { caller } from './herald.mjs';

/** Restarts Herald, which prepares them. @returns for each environment { url, apiKey, call } */
export async function addEnvironments(herald, database, count) {
  const environment = await database.collection('environments').findOne({ _parentId: { $exists: false } });
  const apiKey = await database.collection('apiKeys').findOne({ _environmentId: environment._id });
  const added = Array.from({ length: count }, (_, n) => ({
    key: randomBytes(16).toString('hex'),
    row: { ...environment, _id: new mongoose.Types.ObjectId(), name: `Bench ${n}`, identifier: `bench-${n}` },
  }));
  const keys = added.map(({ key, row: { _id } }) => ({
    ...apiKey,
    _id: new mongoose.Types.ObjectId(),
    _environmentId: _id,
    hash: createHash('sha256').update(key).digest('hex'),
  }));
  await herald.stop();
  await database.collection('environments').insertMany(added.map(({ row }) => row));
  await database.collection('apiKeys').insertMany(keys);
  await herald.restart();
  const { url } = herald;
  return added.map(({ key }) => ({ url, apiKey: key, call: caller(url, key) }));
}
