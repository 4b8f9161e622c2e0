import { Binary, BSON, ObjectId } from 'bson';
import fc from 'fast-check';
import type { Doc } from '../bson/codec.js';
import { dictionaryOf, learnDictionary } from './dictionary.js';

const documents = (count: number, make: (n: number) => Doc): Buffer[] =>
  Array.from({ length: count }, (_, n) => Buffer.from(BSON.serialize(make(n))));

const learnt = (count: number, make: (n: number) => Doc): string =>
  learnDictionary(documents(count, make))?.toString('latin1') ?? '';

const message = (n: number): Doc => ({
  _id: new ObjectId(),
  subscriberName: `Ada Lovelace ${n}`,
  emailAddress: 'ada@example.com',
  status: 'posted',
  attemptsMade: 424242,
  deliveredAt: new Date(1.7e12 + n),
  payload: { [`ada-${n}@example.com`]: 'named', orderNumber: 4711 },
  trailOfSteps: [{ detailOfStep: 'queued' }, { detailOfStep: 'sent', providerOfStep: 'secret-provider' }],
});

describe('learnDictionary', () => {
  it('should hold the names of fields at every level', () => {
    const text = learnt(64, message);
    for (const name of ['subscriberName', 'payload', 'orderNumber', 'trailOfSteps', 'detailOfStep', 'providerOfStep'])
      expect(text).toContain(`${name}\0`);
    expect(text.split('detailOfStep')).toHaveLength(2);
  });

  it('should hold no value, also none that every document has, and no name that few have', () => {
    const text = learnt(64, message);
    for (const value of ['Ada', 'example.com', 'posted', 'queued', 'secret', 'named', 'ada-'])
      expect(text).not.toContain(value);
    const number = Buffer.alloc(4);
    number.writeInt32LE(424242);
    expect(text).not.toContain(number.toString('latin1').replace(/\0+$/, ''));
  });

  it('should leave out names of fewer than an eighth of the documents', () => {
    const make = (n: number): Doc => ({
      ...message(n),
      ...(n % 9 === 0 && { rarelyPresent: 1 }),
      ...(n % 7 === 0 && { oftenPresent: 1 }),
    });
    const text = learnt(630, make);
    expect(text).toContain('oftenPresent');
    expect(text).not.toContain('rarelyPresent');
  });

  it('should keep to the most common names where there are many', () => {
    const wide = (n: number): Doc => ({
      ...message(n),
      ...Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`${n % 3 ? 'common' : 'third'}NameOfAField${i}`, n])),
    });
    const dictionary = learnDictionary(documents(99, wide));
    expect(dictionary?.length).toBeLessThanOrEqual(2048);
    expect(dictionary?.toString('latin1')).toContain('subscriberName');
  });

  it('should give nothing for documents without common names', () => {
    expect(learnDictionary(documents(64, (n) => ({ _id: n, [`only-${n}`]: 1 })))).toBeUndefined();
  });

  it('should be the same after its way to the disk and back', () => {
    const dictionary = learnDictionary(documents(64, message)) as Buffer;
    expect(dictionary.length % 8).toBe(0);
    expect(dictionaryOf(new Binary(dictionary)).equals(dictionary)).toBe(true);
  });

  it('should take any document', () => {
    fc.assert(
      fc.property(fc.array(fc.object({ maxDepth: 6 }), { minLength: 1, maxLength: 10 }), (docs) => {
        const raws = docs.map((doc) => Buffer.from(BSON.serialize(doc, { ignoreUndefined: true })));
        expect((learnDictionary(raws)?.length ?? 0) % 8).toBe(0);
      }),
    );
  });
});
