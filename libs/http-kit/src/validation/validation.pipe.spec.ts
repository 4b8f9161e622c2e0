import type { Type as Class } from '@nestjs/common';
import {
  ArrayMaxSize,
  ArrayUnique,
  getMetadataStorage,
  IsArray,
  IsIn,
  IsInt,
  IsMongoId,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  MaxDate,
  MaxLength,
  MinDate,
  MinLength,
  ValidateNested,
  validateSync,
  type ValidatorOptions,
} from 'class-validator';
import { Type } from 'class-transformer';
import { object, text } from '#libs/validation';
import { AppException } from '../errors/app-exception.js';
import { AsDeclared, IsFreeForm, IsListOf, IsName, IsValidBy, OptionalString } from './decorators.js';
import { createValidationPipe, flattenFaults } from './validation.pipe.js';

const LINK = object({ url: text(5).optional(), name: text(5) });

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
  @AsDeclared(LINK)
  @IsValidBy('isLink', LINK)
  link?: unknown;

  @IsOptional()
  @IsValidBy('isEven', (value, property) => (value === 2 ? [] : [`${property}.a is odd`, `${property}.b is odd`]))
  even?: unknown;
}

class Required {
  @IsName()
  name: string;

  @IsMongoId({ message: '$property must be the id of a group; GET /v1/groups lists them' })
  groupId: string;

  @MaxLength(5)
  short: string;

  @IsInt()
  count: number;

  @ArrayMaxSize(2)
  @IsArray()
  list: string[];

  @IsValidBy('areSteps', (value, property) => (Array.isArray(value) ? [] : [`${property} must be an array of steps`]))
  steps: unknown[];

  @Matches(/^x/, { message: 'worded begins with x' })
  worded: string;
}

class Lists {
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(4)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(5, { each: true })
  tokens?: string[];

  @IsOptional()
  @IsArray()
  @ArrayUnique()
  @IsIn(['red', 'blue'], { each: true })
  colours?: string[];

  @IsOptional()
  @IsMongoId({ each: true })
  ids?: string[];

  @IsOptional()
  @Matches(/^x/, { each: true, message: 'each value in worded must begin with x' })
  worded?: string[];

  @IsOptional()
  @IsListOf(() => Step, 3)
  steps?: Step[];

  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => Lists)
  inner?: Lists;

  @IsOptional()
  @MinDate(new Date('2020-01-01T00:00:00.000Z'))
  @MaxDate(new Date('2021-01-01T00:00:00.000Z'))
  day?: unknown;
}

class Parent {
  @IsInt()
  count: number;
}

class Child extends Parent {
  @IsString()
  word: string;
}

class Grouped {
  @IsInt({ groups: ['numbers'] })
  count: unknown = 'x';

  @IsString({ groups: ['words'] })
  word: unknown = 5;

  @IsString()
  plain: unknown = 5;
}

const pipe = createValidationPipe();
const check = (value: unknown, metatype: Class<unknown> = Sample): Promise<unknown> =>
  pipe.transform(value, { type: 'body', metatype }) as Promise<unknown>;
const faultsOf = async (value: unknown, metatype?: Class<unknown>): Promise<unknown> => {
  const error: unknown = await check(value, metatype).catch((thrown: unknown) => thrown);
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
      'steps.1.name is required and must be a string',
      'data.a.$in is not allowed: keys must not begin with $',
      'even.a is odd',
      'even.b is odd',
    ]);
  });

  it('should say of each absent field that it is required, and what it must be', async () => {
    expect(await faultsOf({}, Required)).toEqual([
      'name is required and must be a string',
      'groupId is required and must be the id of a group; GET /v1/groups lists them',
      'short is required',
      'count is required and must be an integer number',
      'list is required and must be an array',
      'steps is required and must be an array of steps',
      'worded is required',
    ]);
    const sent = { groupId: 1, short: 'a', count: 1, list: [], steps: 1, worded: 'x' };
    expect(await faultsOf({ ...sent, name: null }, Required)).toEqual([
      expect.stringContaining('name must be'),
      expect.stringContaining('name must be'),
      expect.stringContaining('name must be'),
      'groupId must be the id of a group; GET /v1/groups lists them',
      'steps must be an array of steps',
    ]);
  });

  it('should not turn texts into numbers behind the back', async () => {
    expect(await faultsOf({ name: 'a', count: '1' })).toEqual(['count must be an integer number']);
  });

  it('should let null stand for an optional field', async () => {
    expect(await check({ name: 'a', note: null, count: null })).toEqual({ name: 'a', note: null, count: null });
  });

  it('should take null for absent in a declared value', async () => {
    expect(await check({ name: 'a', link: { url: null, name: 'b' } })).toEqual({ name: 'a', link: { name: 'b' } });
    expect(await check({ name: 'a', link: null })).toEqual({ name: 'a', link: null });
    expect(await faultsOf({ name: 'a', link: { url: 5, name: null } })).toEqual([
      'link.url must be a string',
      'link.name must be a string',
    ]);
  });

  it('should keep a free-form object exactly as sent', async () => {
    const data = { 'a.b': [1, { c: null }], nested: { deep: 'x' } };
    expect(((await check({ name: 'a', data })) as Sample).data).toEqual(data);
  });

  it.each([
    ['the body itself', (keys: object) => ({ name: 'a', ...keys })],
    ['an entry of a list', (keys: object) => ({ name: 'a', steps: [{ name: 'b', ...keys }] })],
  ])('should be done in time with 150,000 keys in %s', async (_where, bodyWith) => {
    const keys = Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`key${index}`, index]));
    const started = process.cpuUsage().user;
    await check(bodyWith(keys));
    // A search for doubles among them takes half a minute. The processor's time, which a busy machine does not stretch.
    expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(5_000);
  });

  it('should take a free-form object of as many values as there may be, and refuse one more', async () => {
    const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, index]));
    const list = Array.from({ length: 39_998 }, () => 1);
    const data = { keys, list };
    expect(((await check({ name: 'a', data })) as Sample).data).toEqual(data);
    expect(await faultsOf({ name: 'a', data: { keys, list: [...list, 1] } })).toEqual([
      'data has more than 50000 keys and entries. Send fewer',
    ]);
    expect(await faultsOf({ name: 'a', data: { keys: { ...keys, more: 1 } } })).toEqual([
      'data has an object of more than 10000 keys. Use a list for so many values',
    ]);
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

describe('faults of the entries of lists', () => {
  it.each([
    ['a number', { tokens: [5] }, ['tokens.0 must be a string']],
    ['null', { tokens: ['a', null] }, ['tokens.1 must be a string']],
    ['an object and a list', { tokens: [{}, ['a']] }, ['tokens.0 must be a string', 'tokens.1 must be a string']],
    ['an empty text', { tokens: [''] }, ['tokens.0 must be longer than or equal to 1 characters']],
    [
      'faults of two kinds',
      { tokens: ['abcdef', 'ok', 1] },
      ['tokens.0 must be shorter than or equal to 5 characters', 'tokens.2 must be a string'],
    ],
    ['a list that is too long', { tokens: [1, 2, 3, 4, 5] }, ['tokens must contain no more than 4 elements']],
    ['no list', { tokens: 'text' }, ['tokens must be an array']],
    ['a value twice', { colours: ['red', 'red'] }, ['colours must not contain an entry twice']],
    ['an unknown value', { colours: ['red', 'x'] }, ['colours.1 must be one of the following values: red, blue']],
    ['something else than an id', { ids: ['x'] }, ['ids.0 must be a mongodb id']],
    ['a text of its own', { worded: ['xa', 'ax'] }, ['worded.1 must begin with x']],
    [
      'entries that are no objects',
      { steps: ['text', null] },
      ['steps.0 must be an object', 'steps.1 must be an object'],
    ],
    ['a text in the place of a list of objects', { steps: 'text' }, ['steps must be an array']],
    ['a field of a field', { inner: { tokens: [5] } }, ['inner.tokens.0 must be a string']],
    ['a text in the place of an object', { inner: 'text' }, ['inner must be an object']],
    [
      'a day too soon',
      { day: new Date('2019-06-01T00:00:00.000Z') },
      [expect.stringMatching(/^day must not be earlier/)],
    ],
    [
      'a day too late',
      { day: new Date('2022-06-01T00:00:00.000Z') },
      [expect.stringMatching(/^day must not be later/)],
    ],
  ])('should begin with the path: %s', async (_case, body, faults) => {
    expect(await faultsOf(body, Lists)).toEqual(faults);
  });

  it('should not be made for masses of entries', async () => {
    const faults = await faultsOf({ ids: Array.from({ length: 5_000 }, () => 'x') }, Lists);
    expect(faults).toHaveLength(101);
    expect(faults).toContain('900 further faults are not shown');
  });

  it('should be said once for each entry', async () => {
    const faults = (await faultsOf({ tokens: [1, {}, null, ''], ids: [1, 2] }, Lists)) as string[];
    const places = faults.map((fault) => fault.split(' ')[0]);
    expect(places).toEqual(['tokens.3', 'tokens.0', 'tokens.1', 'tokens.2', 'ids.0', 'ids.1']);
  });
});

describe('rules that are remembered', () => {
  const storage = getMetadataStorage();
  afterEach(() => jest.restoreAllMocks());

  it('should be searched once for each class, with what the pipe asks for', async () => {
    const asked = jest.spyOn(storage, 'getTargetValidationMetadatas');
    const rulesOf = async (metatype: Class<unknown>): Promise<unknown> => {
      asked.mockClear();
      await faultsOf({}, metatype);
      return asked.mock.results[0]?.value;
    };
    const [parent, child] = [await rulesOf(Parent), await rulesOf(Child)];
    expect(await rulesOf(Parent)).toBe(parent);
    expect(await rulesOf(Child)).toBe(child);
    expect([parent, child].map((rules) => (rules as unknown[]).length)).toEqual([1, 2]);
  });

  it('should be those of the class of each object, also where one inherits from the other', async () => {
    const [ofParent, ofChild] = [
      ['count is required and must be an integer number'],
      ['word is required and must be a string'],
    ];
    for (let round = 0; round < 2; round++) {
      expect(await faultsOf({}, Parent)).toEqual(ofParent);
      expect(new Set((await faultsOf({}, Child)) as string[])).toEqual(new Set([...ofParent, ...ofChild]));
    }
  });

  it('should be those without a condition only: groups have their own', () => {
    const fieldsOf = (options: ValidatorOptions): string[] =>
      validateSync(new Grouped(), options).map(({ property }) => property);
    for (let round = 0; round < 2; round++) {
      expect(fieldsOf({})).toEqual(['count', 'word', 'plain']);
      expect(fieldsOf({ groups: ['numbers'] })).toEqual(['count']);
      expect(fieldsOf({ groups: ['words'] })).toEqual(['word']);
      expect(fieldsOf({ groups: ['words'], always: true })).toEqual(['word', 'plain']);
      expect(fieldsOf({ strictGroups: true })).toEqual(['plain']);
    }
  });
});

describe('flattenFaults', () => {
  it('should have nothing to say about nothing', () => {
    expect(flattenFaults([])).toEqual([]);
  });
});
