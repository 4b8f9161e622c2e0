import { mongo } from 'mongoose';

const { BSON } = mongo;

/** Numbers, binary data and regular expressions keep their BSON types. */
const EXACT = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;
const NESTED_DOCUMENT = 3;
const ARRAY = 4;

/**
 * A document that the driver serializes to the same bytes. An object is one, unless its bytes have keys such as '10'
 * behind other keys: JavaScript puts those first.
 */
export function exactDocument(bytes: Uint8Array): mongo.Document {
  const document = BSON.deserialize(bytes, EXACT);
  return Buffer.compare(BSON.serialize(document), bytes) === 0 ? document : orderedMap(bytes);
}

function orderedMap(bytes: Uint8Array): Map<string, unknown> {
  return new Map(elementsOf(bytes));
}

function elementsOf(bytes: Uint8Array): [name: string, value: unknown][] {
  return [...BSON.onDemand.parseToElements(bytes)].map(([type, nameAt, nameLength, at, length]) => {
    const name = Buffer.from(bytes.subarray(nameAt, nameAt + nameLength)).toString('utf8');
    const value = bytes.subarray(at, at + length);
    if (type === NESTED_DOCUMENT) return [name, orderedMap(value)];
    if (type === ARRAY) return [name, elementsOf(value).map(([, item]) => item)];
    return [name, leafOf(type, value)];
  });
}

function leafOf(type: number, value: Uint8Array): unknown {
  const document = Buffer.alloc(4 + 1 + 2 + value.length + 1);
  document.writeInt32LE(document.length, 0);
  document.writeUInt8(type, 4);
  document.write('v\0', 5, 'latin1');
  document.set(value, 7);
  return BSON.deserialize(document, EXACT)['v'];
}
