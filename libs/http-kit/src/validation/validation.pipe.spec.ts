import type { Type as Class } from '@nestjs/common';
import { IsInt, IsOptional } from 'class-validator';
import { AppException } from '../errors/app-exception.js';
import { IsFreeForm, IsListOf, IsName, IsValidBy, OptionalString } from './decorators.js';
import { createValidationPipe, flattenFaults } from './validation.pipe.js';

class Step {
  @IsName()
  name: string;
}

class Sample {
  @IsName()
  name: string;

  @OptionalString(5)
  note?: string | null;

  @IsOptional()
  @IsInt()
  count?: number;

  @IsOptional()
  @IsListOf(() => Step, 20_000)
  steps?: Step[];

  @IsOptional()
  @IsFreeForm()
  data?: Record<string, unknown>;

  @IsOptional()
  @IsValidBy('isEven', (value, property) => (value === 2 ? [] : [`${property}.a is odd`, `${property}.b is odd`]))
  even?: unknown;
}

const pipe = createValidationPipe();
const check = (value: unknown, metatype: Class<unknown> = Sample): Promise<unknown> =>
  pipe.transform(value, { type: 'body', metatype }) as Promise<unknown>;
const faultsOf = async (value: unknown): Promise<unknown> => {
  const error: unknown = await check(value).catch((thrown: unknown) => thrown);
  return error instanceof AppException ? error.messages : `no fault: ${JSON.stringify(error)}`;
};

describe('createValidationPipe', () => {
  it('should drop what it does not know and leave absent fields absent', async () => {
    expect(Object.keys((await check({ name: 'a', extra: 1 })) as object)).toEqual(['name']);
  });

  it('should report every fault at once with its path', async () => {
    expect(
      await faultsOf({
        name: 5,
        note: 'too long',
        count: '1',
        steps: [{ name: 'ok' }, {}],
        data: { a: { $in: [] } },
        even: 3,
      }),
    ).toEqual([
      expect.stringContaining('name must be'),
      expect.stringContaining('name must be'),
      'name must be shorter than or equal to 255 characters',
      'note must be shorter than or equal to 5 characters',
      'count must be an integer number',
      expect.stringContaining('steps.1.name must be'),
      expect.stringContaining('steps.1.name must be'),
      'steps.1.name must be shorter than or equal to 255 characters',
      'data.a.$in is not allowed: keys must not begin with $',
      'even.a is odd',
      'even.b is odd',
    ]);
  });

  it('should not turn texts into numbers behind the back', async () => {
    expect(await faultsOf({ name: 'a', count: '1' })).toEqual(['count must be an integer number']);
  });

  it('should let null stand for an optional field', async () => {
    expect(await check({ name: 'a', note: null, count: null })).toEqual({ name: 'a', note: null, count: null });
  });

  it('should keep a free-form object exactly as sent', async () => {
    const data = { 'a.b': [1, { c: null }], nested: { deep: 'x' } };
    expect(((await check({ name: 'a', data })) as Sample).data).toEqual(data);
  });

  it.each([
    ['the body itself', (keys: object) => ({ name: 'a', ...keys })],
    ['a free-form object', (keys: object) => ({ name: 'a', data: keys })],
    ['an entry of a list', (keys: object) => ({ name: 'a', steps: [{ name: 'b', ...keys }] })],
  ])('should be done in time with 150,000 keys in %s', async (_where, bodyWith) => {
    const keys = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`key${index}`, index]));
    const started = process.cpuUsage().user;
    await check(bodyWith(keys));
    // A search for doubles among them takes half a minute. The processor's time, which a busy machine does not stretch.
    expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(5_000);
  });

  it('should tell at most a hundred faults, and how many there are besides', async () => {
    const faults = await faultsOf({ name: 'a', steps: Array.from({ length: 10_000 }, () => ({ name: '' })) });
    expect(faults).toHaveLength(101);
    expect(faults).toContain('9900 further faults are not shown');
  });

  it.each([
    ['an empty list', []],
    ['a list of one', [{ name: 'a' }]],
    ['lists in lists', [[[]]]],
  ])('should refuse %s in the place of an object of a list', async (_case, entry) => {
    expect(await faultsOf({ name: 'a', steps: [{ name: 'b' }, entry] })).toEqual(['steps.1 must be an object']);
  });

  it.each([
    ['a\0b', 'name must not contain null characters'],
    [' \t\n', 'name must not be blank'],
  ])('should refuse the name %j', async (name, fault) => {
    expect(await faultsOf({ name })).toEqual([fault]);
  });

  it('should cut a fault that is as long as what was sent', async () => {
    const [fault] = (await faultsOf({ name: 'a', data: { [`$${'x'.repeat(100_000)}`]: 1 } })) as string[];
    expect(fault?.length).toBeLessThan(600);
  });

  it.each([[[]], [[{ name: 'a' }]], ['text'], [5], [true], [null], [undefined]])(
    'should refuse %j where an object is due',
    async (body) => {
      expect(await faultsOf(body)).toEqual(expect.arrayContaining([expect.any(String)]));
    },
  );
});

describe('flattenFaults', () => {
  it('should have nothing to say about nothing', () => {
    expect(flattenFaults([])).toEqual([]);
  });
});
