import type { Binary } from 'bson';
import type { Doc } from '../bson/codec.js';
import type { CollectionRecord } from './collection.js';
import { dictionaryOf } from './dictionary.js';

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

/** Records of the first layout do not name it. */
const layoutOf = (record: Doc): number => (record.layout === undefined ? 1 : Number(record.layout));
