import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { STORE_SCHEMA } from '../../src/bootstrap/store-schema.js';
import { useTestApi } from '../support/test-api.js';

/** Of MongoDB 4.4 and other engines. Later versions know more, such as $in and $or. */
const OPERATORS = ['$eq', '$exists', '$gt', '$gte', '$lt', '$lte', '$type'];

const api = useTestApi();

const collections = () =>
  Object.values(api.app.get<Connection>(getConnectionToken()).models).map(({ collection, schema }) => ({
    name: collection.collectionName,
    indexes: schema.indexes(),
  }));

/** What older engines do not know in the filter of a partial index. */
function unknownIn(filter: object): string[] {
  return Object.entries(filter).flatMap(([field, condition]: [string, unknown]) => {
    if (field === '$and') return (condition as object[]).flatMap(unknownIn);
    if (field.startsWith('$')) return [field];
    const isOperators =
      typeof condition === 'object' && condition !== null && Object.keys(condition).some((key) => key.startsWith('$'));
    if (!isOperators) return [];
    return Object.entries(condition)
      .filter(([operator, value]) => !OPERATORS.includes(operator) || (operator === '$exists' && value !== true))
      .map(([operator, value]) => `${field} ${operator} ${JSON.stringify(value)}`);
  });
}

describe('the indexes of all collections', () => {
  it('should have filters that MongoDB 4.4 and other engines know', () => {
    const partial = collections().flatMap(({ name, indexes }) =>
      indexes.flatMap(([, { partialFilterExpression: filter }]) => (filter === undefined ? [] : [{ name, filter }])),
    );
    expect(partial.length).toBeGreaterThan(40);
    expect(partial.flatMap(({ name, filter }) => unknownIn(filter).map((fault) => `${name}: ${fault}`))).toEqual([]);
    expect(unknownIn({ a: { $in: [1] }, b: { $exists: false }, $or: [{ c: 1 }], $and: [{ d: { $ne: 1 } }] })).toEqual([
      'a $in [1]',
      'b $exists false',
      '$or',
      'd $ne 1',
    ]);
  });

  it('should differ in their fields or the order of them, which tells indexes apart before MongoDB 5', () => {
    const twice = collections().flatMap(({ name, indexes }) => {
      const keys = indexes.map(([key]) => JSON.stringify(Object.entries(key)));
      return keys.filter((key, at) => keys.indexOf(key) < at).map((key) => `${name}: ${key}`);
    });
    expect(twice).toEqual([]);
  });

  it('should be on collections that Herald names where it shares a database', () => {
    const names = collections().map(({ name }) => name);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !STORE_SCHEMA.collections.includes(name))).toEqual([]);
  });
});
