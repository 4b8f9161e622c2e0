import { AppException } from './app-exception.js';
import { defineError } from './define-error.js';
import { describeError } from './describe-error.js';

const ThingNotFound = defineError(404, 'thing_not_found', (id: string) => `There is no thing '${id}'.`, ['{thingId}']);
const ThingsBusy = defineError(503, 'things_busy', 'All things are busy.', { retryAfterSeconds: 3, logLevel: 'warn' });
const ThingBroken = defineError(
  409,
  'thing_broken',
  (reason: string, _cause: unknown) => `The thing is broken: ${reason}`,
  ['rust', undefined],
  (reason, cause) => ({ cause, details: { reason } }),
);
const ThingsWrong = defineError(422, 'things_wrong', (faults: readonly string[]) => [...faults], [['a is wrong']]);
const ThingOfPlugin = defineError(410, 'thing_gone', (id: string) => `The thing '${id}' is gone.`, {
  logLevel: 'warn',
});

describe('defineError', () => {
  it('should make a class of its own', () => {
    const error = new ThingNotFound('7');
    expect(error).toBeInstanceOf(AppException);
    expect(error).toBeInstanceOf(ThingNotFound);
    expect(error).not.toBeInstanceOf(ThingsBusy);
    expect(new ThingsBusy()).not.toBeInstanceOf(ThingNotFound);
  });

  it('should have status, code, text, name and the place where it was thrown', () => {
    const error = new ThingNotFound('7');
    expect(error).toMatchObject({ status: 404, code: 'thing_not_found', name: 'ThingNotFound', logLevel: 'debug' });
    expect(error.message).toBe("There is no thing '7'.");
    expect(error.stack).toContain('define-error.spec.ts');
    expect(error.retryAfterSeconds).toBeUndefined();
  });

  it('should carry fixed options', () => {
    expect(describeError(new ThingsBusy())).toMatchObject({
      status: 503,
      code: 'things_busy',
      message: 'All things are busy.',
      retryAfterSeconds: 3,
      logLevel: 'warn',
    });
  });

  it('should carry options made of what it is given', () => {
    const cause = new Error('inside');
    const error = new ThingBroken('rust', cause);
    expect(error).toMatchObject({ message: 'The thing is broken: rust', cause, details: { reason: 'rust' } });
  });

  it('should have several texts', () => {
    expect(new ThingsWrong(['a is wrong', 'b is wrong'])).toMatchObject({
      messages: ['a is wrong', 'b is wrong'],
      message: 'a is wrong; b is wrong',
    });
  });

  it('should say status, code and text without being thrown', () => {
    expect([ThingNotFound.status, ThingNotFound.code]).toEqual([404, 'thing_not_found']);
    expect(ThingNotFound.exampleText()).toBe("There is no thing '{thingId}'.");
    expect(ThingsWrong.exampleText()).toEqual(['a is wrong']);
    expect(ThingsBusy.exampleText()).toBe('All things are busy.');
  });

  it('should need no example, as in plugins of older versions', () => {
    expect(new ThingOfPlugin('7')).toMatchObject({ message: "The thing '7' is gone.", logLevel: 'warn' });
    expect(ThingOfPlugin.exampleText()).toBe('{…}');
  });

  it('should not compile with other arguments', () => {
    const wrong = [
      // @ts-expect-error an argument is missing
      () => new ThingNotFound(),
      // @ts-expect-error an argument has the wrong type
      () => new ThingNotFound(7),
      // @ts-expect-error the example has the wrong type
      () => defineError(404, 'thing_not_found', (id: string) => id, [7]),
      // @ts-expect-error there is an argument too many
      () => new ThingsBusy('now'),
    ];
    expect(wrong).toHaveLength(4);
  });
});
