import type { Binary } from 'bson';
import type { Doc } from '../bson/codec.js';
import type { CollectionRecord } from './collection.js';
import { dictionaryOf } from './dictionary.js';
import { LAYOUT } from './keyspace.js';

/** The record of a collection from its stored form. */
export function asRecord(doc: Doc): CollectionRecord {
  const indexes = (doc.indexes as Doc[]).map((index) => ({
    id: Number(index.id),
    name: String(index.name),
    key: index.key as Doc,
    spec: index.spec as Doc,
    layout: layoutOf(index),
    multi: (index.multi as unknown[]).map(Number),
    shortened: index.shortened === true,
  }));
  const dictionary = doc.dictionary === undefined ? {} : { dictionary: dictionaryOf(doc.dictionary as Binary) };
  return { id: Number(doc.id), layout: layoutOf(doc), options: doc.options as Doc, indexes, ...dictionary };
}

export function newCollection(id: number, options: Doc): CollectionRecord {
  const key = { _id: 1 };
  const spec = { v: 2, key, name: '_id_' };
  const primary = { id: 0, name: '_id_', key, spec, layout: LAYOUT, multi: [], shortened: false };
  return { id, layout: LAYOUT, options, indexes: [primary] };
}

/** Records of the first layout do not name it. */
const layoutOf = (record: Doc): number => (record.layout === undefined ? 1 : Number(record.layout));
