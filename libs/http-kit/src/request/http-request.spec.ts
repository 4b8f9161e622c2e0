import { requestIdOf } from './http-request.js';

const idOf = (header: string | undefined): string =>
  requestIdOf({ headers: header === undefined ? {} : { 'x-request-id': header } });

describe('requestIdOf', () => {
  it("should keep the caller's id where it is harmless", () => {
    expect(idOf('job-7:part.2')).toBe('job-7:part.2');
  });

  it.each([undefined, '', 'with blank', 'line\nbreak', 'x'.repeat(129), '<b>'])(
    'should make one instead of %j',
    (given) => {
      expect(idOf(given)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );
});
