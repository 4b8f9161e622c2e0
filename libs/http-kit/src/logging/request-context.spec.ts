import { currentRequestId, requestContext } from './request-context.js';

function run(header: string | undefined): { seen: string | undefined; sent: string | undefined } {
  let seen: string | undefined;
  let sent: string | undefined;
  const request = { headers: header === undefined ? {} : { 'x-request-id': header } } as never;
  const response = { setHeader: (_name: string, value: string) => (sent = value) } as never;
  requestContext(request, response, () => (seen = currentRequestId()));
  return { seen, sent };
}

describe('requestContext', () => {
  it("should keep the caller's id where it is harmless", () => {
    expect(run('job-7:part.2')).toEqual({ seen: 'job-7:part.2', sent: 'job-7:part.2' });
  });

  it.each([undefined, '', 'with blank', 'line\nbreak', 'x'.repeat(129), '<b>'])(
    'should make one instead of %j',
    (given) => {
      const { seen, sent } = run(given);
      expect(seen).toMatch(/^[0-9a-f-]{36}$/);
      expect(sent).toBe(seen);
    },
  );

  it('should have no id outside of a request', () => {
    expect(currentRequestId()).toBeUndefined();
  });
});
