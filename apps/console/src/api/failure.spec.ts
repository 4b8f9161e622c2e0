import { ApiFailure, failureOf, NO_CONNECTION, toFailure } from './failure.js';

describe('failureOf', () => {
  it('should take the texts and the code of the API, and add what to do', () => {
    expect(failureOf(403, { message: 'This needs the scope trigger.', code: 'scope_missing' })).toEqual({
      status: 403,
      code: 'scope_missing',
      texts: ['This needs the scope trigger.'],
      advice: 'Sign in with a key that has this scope.',
    });
    const readOnly = failureOf(403, { message: 'It is read-only.', code: 'environment_read_only' });
    expect(readOnly).not.toHaveProperty('advice');
    expect(failureOf(400, { message: ['a', 'b'], code: 'validation_failed' }).texts).toEqual(['a', 'b']);
    expect(failureOf(500, { message: 'Internal', errorId: 'e-1' }).texts).toEqual(['Internal', 'Error id: e-1']);
  });

  it('should not need the form of the API, as of a proxy in between', () => {
    expect(failureOf(502, '<html>')).toMatchObject({
      code: 'http_502',
      texts: ['The request failed with the status 502.'],
    });
  });
});

describe('toFailure', () => {
  it('should unwrap failures of the API, and show any other error as one of the console', () => {
    expect(toFailure(new ApiFailure(NO_CONNECTION))).toBe(NO_CONNECTION);
    expect(toFailure(new TypeError('x'))).toMatchObject({ code: 'console', advice: 'Reload the page.' });
  });
});
