import { ForbiddenException, NotFoundException } from '@nestjs/common';
import { AppException } from './app-exception.js';
import { ValidationFailed } from './common.errors.js';
import { codeOf, describeError } from './describe-error.js';

const storeError = (name: string, fields: object = {}): Error =>
  Object.assign(new Error('host:27017 secret'), { name, ...fields });

describe('describeError', () => {
  it('should tell an AppException as it is', () => {
    const error = new AppException(429, 'slow_down', 'Wait.', { retryAfterSeconds: 3, logLevel: 'warn' });
    expect(describeError(error)).toEqual({
      status: 429,
      code: 'slow_down',
      message: 'Wait.',
      logLevel: 'warn',
      retryAfterSeconds: 3,
      internal: false,
    });
  });

  it('should keep the faults of a validation as a list', () => {
    expect(describeError(new ValidationFailed(['a must be b', 'c must be d']))).toMatchObject({
      status: 400,
      code: 'validation_failed',
      message: ['a must be b', 'c must be d'],
    });
  });

  it.each([
    [new ForbiddenException('no'), 403, 'forbidden', 'no'],
    [new NotFoundException(), 404, 'not_found', 'Not Found'],
  ])("should tell Nest's own %p", (error, status, code, message) => {
    expect(describeError(error)).toMatchObject({ status, code, message, internal: false });
  });

  it('should make a clash of a duplicate key, naming the field but not the value', () => {
    const error = storeError('MongoServerError', {
      code: 11000,
      keyValue: { _environmentId: 'e', identifier: 'taken' },
    });
    expect(describeError(error)).toMatchObject({ status: 409, code: 'already_exists' });
    expect(describeError(error).message).toContain('the same identifier');
    expect(describeError(error).message).not.toContain('taken');
  });

  it('should make a bad request of a failed cast', () => {
    expect(describeError(storeError('CastError', { path: '_id' }))).toMatchObject({
      status: 400,
      message: ['id has a value of the wrong type'],
    });
  });

  it.each(['MongoServerSelectionError', 'MongoNetworkError', 'PoolClearedError'])(
    'should say that the store is unavailable on %s, and nothing of where it is',
    (name) => {
      const described = describeError(storeError(name));
      expect(described).toMatchObject({ status: 503, code: 'store_unavailable', retryAfterSeconds: 2 });
      expect(described.message).not.toContain('27017');
    },
  );

  it('should leave it open on an unavailable store whether the change was made, and name the safe way to repeat', () => {
    const { message } = describeError(storeError('MongoNetworkError'));
    expect(message).toMatch(/not known/);
    expect(message).toContain('transactionId');
  });

  it('should say that nothing was changed only of requests that read', () => {
    const lost = storeError('MongoNetworkError');
    for (const method of ['GET', 'HEAD']) expect(describeError(lost, method).message).toContain('Nothing was changed');
    for (const method of ['POST', 'DELETE', undefined])
      expect(describeError(lost, method).message).not.toContain('Nothing was changed');
  });

  it('should ask for a repetition after a conflict of writes', () => {
    const described = describeError(storeError('MongoServerError', { code: 112 }));
    expect(described).toMatchObject({ status: 503, code: 'store_unavailable', retryAfterSeconds: 1, internal: false });
  });

  it('should say that the store is full', () => {
    const described = describeError(storeError('MongoServerError', { code: 14031 }));
    expect(described).toMatchObject({ status: 503, code: 'store_full', retryAfterSeconds: 30, internal: false });
  });

  it('should say that a record is damaged, and not which', () => {
    const described = describeError(storeError('MongoServerError', { code: 246 }));
    expect(described).toMatchObject({ status: 500, code: 'store_damaged', internal: true, logLevel: 'error' });
    expect(described.message).not.toContain('inside service');
  });

  it.each([new Error('inside'), 'a text', undefined, null, { code: 'ENOENT' }, storeError('MongoServerError')])(
    'should say nothing of the inside on %p',
    (error) => {
      const described = describeError(error);
      expect(described).toMatchObject({ status: 500, code: 'internal_error', internal: true, logLevel: 'error' });
      expect(described.message).not.toMatch(/inside service|27017|ENOENT/);
    },
  );
});

describe('codeOf', () => {
  it.each([
    [413, 'body_too_large'],
    [418, 'i_m_a_teapot'],
    [599, 'error'],
  ])('should have a word for %i', (status, code) => {
    expect(codeOf(status)).toBe(code);
  });
});
