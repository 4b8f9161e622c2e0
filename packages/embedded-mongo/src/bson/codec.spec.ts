import { Binary, BSONRegExp, Code, Double, Int32, Long, ObjectId } from 'bson';
import { encode, validate } from './codec.js';

const DOCUMENT = {
  _id: new ObjectId('65f000000000000000000001'),
  text: 'short',
  long: 'ä€😀'.repeat(40),
  empty: '',
  'näme €': 'ä',
  ['n'.repeat(80)]: new Int32(1),
  list: [{ x: [new Double(1.5), null, 'y'] }, []],
  code: new Code('a()', { b: 'c' }),
  pattern: new BSONRegExp('^a', 'i'),
  bytes: new Binary(Buffer.from([0xff, 0xfe]), 0),
  at: new Date(0),
  many: Long.fromNumber(5),
  yes: true,
};

/** The bytes with those of `text` replaced by as many that are not UTF-8. */
function spoiled(text: string): Buffer {
  const raw = encode(DOCUMENT);
  const at = raw.indexOf(text);
  raw.fill(0xff, at, at + Buffer.byteLength(text));
  return raw;
}

it('accepts what the library has written, wherever it lies', () => {
  const raw = encode(DOCUMENT);
  expect(() => validate(raw)).not.toThrow();
  expect(() => validate(Buffer.concat([Buffer.from([1, 2, 3]), raw, Buffer.from([4])]), 3)).not.toThrow();
  expect(() => validate(encode({}))).not.toThrow();
});

it.each([
  ['a short text', 'short', 'text that is not UTF-8'],
  ['a long text', 'ä€😀'.repeat(40), 'text that is not UTF-8'],
  ['a short name', 'näme €', 'a name that is not UTF-8'],
  ['a long name', 'n'.repeat(80), 'a name that is not UTF-8'],
])('refuses %s that is not UTF-8', (_what, text, message) => {
  expect(() => validate(spoiled(text))).toThrow(message);
});

it('refuses a document that ends too early, at any place', () => {
  const raw = encode(DOCUMENT);
  for (let end = 0; end < raw.length; end++) expect(() => validate(raw.subarray(0, end))).toThrow('malformed BSON');
});

it('refuses a name without an end, a text without one, and a list of a wrong length', () => {
  const unnamed = Buffer.from([8, 0, 0, 0, 0x0a, 0x61, 0x62, 0]);
  expect(() => validate(unnamed)).toThrow('unterminated field name');
  const text = encode({ a: 'b' });
  text[text.length - 2] = 0x63;
  expect(() => validate(text)).toThrow('unterminated string');
  const list = encode({ a: ['b'] });
  list.writeInt32LE(list.readInt32LE(7) - 1, 7);
  expect(() => validate(list)).toThrow('malformed BSON');
});

it('refuses what is nested too deep', () => {
  let doc: Record<string, unknown> = {};
  for (let depth = 0; depth < 101; depth++) doc = { a: doc };
  expect(() => validate(encode(doc))).toThrow('nested 100 levels');
});
