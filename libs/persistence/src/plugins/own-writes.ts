import mongoose, { type mongo } from 'mongoose';
import type { OwnerFields } from '../walls.js';

/** A new record gets its owner; a stored one is only written where it belongs to that owner. */
export function ownDocument(doc: mongoose.Document, owner: OwnerFields): void {
  doc.set(owner);
  doc.$where = { ...doc.$where, _environmentId: owner._environmentId };
}

/** Without changes of the owner, who becomes that of what the update may insert. */
export function ownUpdate(update: mongo.Document, owner: OwnerFields, isUpsert: boolean): mongo.Document {
  if (Array.isArray(update)) return [...(update as mongo.Document[]), { $set: owner }];
  const kept = Object.entries(update).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return key in owner ? [] : [[key, value] as const];
    const paths = Object.entries(value as mongo.Document).filter(
      ([path, target]) => !(path in owner) && !(key === '$rename' && String(target) in owner),
    );
    return paths.length === 0 ? [] : [[key, Object.fromEntries(paths)] as const];
  });
  const own: mongo.Document = Object.fromEntries(kept);
  if (!isUpsert) return own;
  // The filter sets the environment.
  const { _environmentId: _ofFilter, ...others } = owner;
  return { ...own, $setOnInsert: { ...(own['$setOnInsert'] as object | undefined), ...others } };
}

export function ownReplacement(replacement: mongo.Document, owner: OwnerFields): mongo.Document {
  const plain = replacement instanceof mongoose.Document ? (replacement.toObject() as mongo.Document) : replacement;
  return { ...plain, ...owner };
}

/** The operations of a bulk write, each on records of the owner only. */
export function ownWrites(
  operations: readonly mongo.Document[],
  owner: OwnerFields,
  ownFilter: (filter: mongo.Document) => mongo.Document,
): mongo.Document[] {
  const ownWrite = (name: string, write: mongo.Document): mongo.Document => {
    if (name === 'insertOne') return { ...write, document: ownReplacement(write['document'] as mongo.Document, owner) };
    const filtered = { ...write, filter: ownFilter((write['filter'] ?? {}) as mongo.Document) };
    switch (name) {
      case 'deleteOne':
      case 'deleteMany':
        return filtered;
      case 'updateOne':
      case 'updateMany':
        return { ...filtered, update: ownUpdate(write['update'] as mongo.Document, owner, write['upsert'] === true) };
      case 'replaceOne':
        return { ...filtered, replacement: ownReplacement(write['replacement'] as mongo.Document, owner) };
      default:
        throw new Error(`A bulk write has no operation '${name}'.`);
    }
  };
  return operations.map((operation) =>
    Object.fromEntries(
      Object.entries(operation).map(([name, write]) => [name, ownWrite(name, write as mongo.Document)]),
    ),
  );
}
