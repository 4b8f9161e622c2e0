import { mongo } from 'mongoose';
import { storeFault } from '#libs/common';
import { hasOnlyDuplicates, isDuplicateKey, isStoreUnavailable, onDuplicateKey } from './store-errors.js';

describe('hasOnlyDuplicates', () => {
  it.each([
    [{ writeErrors: [{ code: 11000 }, { code: 11000 }] }, true],
    [{ writeErrors: { code: 11000 } }, true],
    [{ writeErrors: [{ code: 11000 }, { code: 121 }] }, false],
    [{ writeErrors: [] }, false],
    [{ writeErrors: [{ code: 11000 }], result: { getWriteConcernError: () => ({ code: 64 }) } }, false],
    [{ writeErrors: [{ code: 11000 }], result: { getWriteConcernError: () => undefined } }, true],
    [undefined, false],
    [new Error('away'), false],
  ])('should judge %j', (error, expected) => {
    expect(hasOnlyDuplicates(error)).toBe(expected);
  });
});

describe('onDuplicateKey', () => {
  it('should handle a duplicate key', async () => {
    const refused = Promise.reject(Object.assign(new Error('E11000'), { code: 11000 }));
    await expect(refused.catch(onDuplicateKey(({ code }) => code))).resolves.toBe(11000);
  });

  it('should throw every other error again', async () => {
    const failed = Promise.reject(new Error('unreachable'));
    await expect(failed.catch(onDuplicateKey(() => 'handled'))).rejects.toThrow('unreachable');
  });
});

describe('isDuplicateKey', () => {
  it.each([
    [{ code: 11000 }, true],
    [{ name: 'MongoServerError', code: 1, message: 'conflicting key value violates exclusion constraint "x"' }, true],
    [{ name: 'MongoServerError', code: 121, message: 'violates unique constraint' }, false],
    [new Error('violates unique constraint'), false],
    [undefined, false],
  ])('should judge %j', (error, expected) => {
    expect(isDuplicateKey(error)).toBe(expected);
  });
});

const labelled = (label: string): Error => {
  const error = new mongo.MongoServerError({ message: 'x', code: 1 });
  error.addErrorLabel(label);
  return error;
};
const server = (code: number, message = 'x'): Error => new mongo.MongoServerError({ message, code });
/** As the driver wraps what goes wrong within insertMany and bulkWrite. */
const inBulk = (error: object): Error =>
  new mongo.MongoBulkWriteError(error as ConstructorParameters<typeof mongo.MongoBulkWriteError>[0], {} as never);

describe('storeFault', () => {
  it.each<readonly [string | undefined, unknown]>([
    ['unavailable', new mongo.MongoNetworkError('connection reset')],
    ['unavailable', Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' })],
    ['unavailable', new mongo.MongoServerSelectionError('none', {} as never)],
    ['unavailable', new mongo.MongoOperationTimeoutError('late')],
    ['unavailable', inBulk(new mongo.MongoNetworkError('connection reset'))],
    ['unavailable', inBulk(new mongo.MongoServerSelectionError('none', {} as never))],
    ['unavailable', inBulk(server(10107))],
    ['unavailable', labelled('RetryableWriteError')],
    ...[6, 7, 64, 89, 91, 189, 262, 9001, 10058, 10107, 11600, 11602, 13435, 13436].map(
      (code) => ['unavailable', server(code)] as const,
    ),
    ['unavailable', new mongo.MongoServerError({ message: 'not master' })],
    ['unavailable', inBulk({ message: 'x', code: 11000, writeErrors: [{ code: 11000 }, { code: 189 }] })],
    ['conflict', server(112)],
    ['conflict', server(1, 'ERROR: deadlock detected')],
    [
      'conflict',
      inBulk({ message: 'x', code: 16908292, writeErrors: [{ code: 16908292, errmsg: 'deadlock detected' }] }),
    ],
    ['full', server(14031, 'the disk is full')],
    ['full', server(1, 'MDB_MAP_FULL: Environment mapsize limit reached')],
    ['full', inBulk({ message: 'x', code: 14031, writeErrors: [{ code: 14031 }] })],
    ['full', Object.assign(new Error('write'), { code: 'ENOSPC' })],
    ['damaged', server(246, 'damaged data')],
    ['damaged', inBulk({ message: 'x', code: 246, writeErrors: [{ code: 246 }] })],
    [undefined, server(10334, 'too large')],
    [undefined, server(11000)],
    [undefined, server(11000, "dup key: { name: 'not master, deadlock detected' }")],
    [undefined, new Error('deadlock detected')],
    [undefined, labelled('NoWritesPerformed')],
    [undefined, inBulk({ message: 'E11000', code: 11000, writeErrors: [{ code: 11000 }] })],
    [undefined, new mongo.MongoInvalidArgumentError('Document is larger than the maximum size')],
    [undefined, new RangeError('offset is out of range')],
    [undefined, undefined],
    [undefined, 'ENOSPC'],
  ])('should find %s for %s', (fault, error) => {
    expect(storeFault(error)).toBe(fault);
    expect(isStoreUnavailable(error)).toBe(fault === 'unavailable' || fault === 'full');
  });
});
