import { mongo } from 'mongoose';
import { isStoreAway } from './store-away.js';

const labelled = (label: string): Error => {
  const error = new mongo.MongoServerError({ message: 'not primary', code: 10107 });
  error.addErrorLabel(label);
  return error;
};

describe('isStoreAway', () => {
  it.each([
    [true, new mongo.MongoNetworkError('connection reset')],
    [true, labelled('RetryableWriteError')],
    [false, new mongo.MongoServerError({ message: 'too large', code: 10334 })],
    [false, new mongo.MongoInvalidArgumentError('Document is larger than the maximum size')],
    [false, new RangeError('offset is out of range')],
    [false, undefined],
  ])('should be %s for %s', (expected, error) => {
    expect(isStoreAway(error)).toBe(expected);
  });
});
