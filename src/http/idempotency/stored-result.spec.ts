import { AppException, Page, Rows } from '#libs/http-kit';
import { refusalOf, resultOf, replay, type StoredResult } from './stored-result.js';

const kept = (result: StoredResult): StoredResult => JSON.parse(JSON.stringify(result)) as StoredResult;

describe('replay', () => {
  it('should give back a value as its JSON', () => {
    const value = { _id: '1', createdAt: new Date(0) };
    expect(replay(kept(resultOf(value, 201)))).toEqual({ _id: '1', createdAt: '1970-01-01T00:00:00.000Z' });
  });

  it('should give back nothing where there was nothing', () => {
    expect(replay(kept(resultOf(undefined, 204)))).toBeUndefined();
    expect(replay(kept(resultOf(null, 200)))).toBeNull();
  });

  it.each([new Page([1], 0, 1, true, 7), new Rows([1], { meta: { failed: 0 } })])(
    'should give back rows as rows, which the envelope knows by their type: %j',
    (rows) => {
      const replayed = replay(kept(resultOf(rows, 200)));
      expect(replayed).toBeInstanceOf(Rows);
      expect(replayed).toEqual(rows);
    },
  );

  it('should refuse again what was refused', () => {
    const refusal = refusalOf(new AppException(404, 'x_not_found', 'There is no x.'));
    expect(() => replay(kept(refusal as StoredResult))).toThrow(
      expect.objectContaining({ status: 404, code: 'x_not_found', messages: 'There is no x.' }) as Error,
    );
  });
});

describe('refusalOf', () => {
  it.each([
    ['a fault of ours', new Error('boom')],
    ['an absent store', Object.assign(new Error('away'), { name: 'MongoNetworkError' })],
    ['too many requests', new AppException(429, 'rate_limited', 'Slower.')],
  ])('should not keep %s', (_case, error) => {
    expect(refusalOf(error)).toBeUndefined();
  });
});
