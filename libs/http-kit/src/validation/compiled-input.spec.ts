import { type ClassConstructor, Exclude, Transform, Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, MaxLength, MinLength, ValidateNested } from 'class-validator';
import { accept, obstacleOf } from './compiled-input.js';
import { AsNumber, IsListOf, IsName, IsValidBy, IsValidInTurnsBy, OptionalString } from './decorators.js';
import { check, fullValidation } from './validation.pipe.js';

class Part {
  @IsName()
  name: string;
}

class Whole {
  @IsName()
  name: string;

  @OptionalString(5)
  note?: string | null;

  @IsOptional()
  @AsNumber()
  @IsInt()
  count: number = 7;

  @IsOptional()
  @IsListOf(() => Part, 2)
  parts?: Part[];
}

describe('accept', () => {
  it('should convert a valid input, in the order sent and with the defaults', () => {
    const built = accept(Whole, { parts: [{ extra: 1, name: 'a' }], extra: 1, name: 'b', note: null });
    expect(built).toBeInstanceOf(Whole);
    expect(Object.entries(built ?? {})).toEqual([
      ['count', 7],
      ['parts', [{ name: 'a' }]],
      ['name', 'b'],
      ['note', null],
    ]);
    expect(built?.parts?.[0]).toBeInstanceOf(Part);
  });

  it('should apply transformations', () => {
    expect(accept(Whole, { name: 'a', count: '5' })).toEqual({ name: 'a', count: 5 });
  });

  it.each<[string, unknown]>([
    ['a faulty field', { name: 5 }],
    ['a missing field', {}],
    ['no object', 'text'],
    ['a list', [{ name: 'a' }]],
    ['an object of a class', Object.assign(new Date(), { name: 'a' })],
    ['a faulty part', { name: 'a', parts: [{}] }],
    ['something else than a part', { name: 'a', parts: ['a'] }],
    ['very many fields', Object.fromEntries([['name', 'a'], ...Array.from({ length: 300 }, (_, n) => [`k${n}`, 1])])],
  ])('should leave %s to the full validation', (_case, input) => {
    expect(accept(Whole, input)).toBeUndefined();
  });

  class Texts {
    @IsString()
    @MinLength(1)
    @MaxLength(3)
    text: string;
  }

  it.each(['a', '', '\uFE0F', '\u{1F4A9}', '\u{1F4A9}\u{1F4A9}\u{1F4A9}', 'abcd', '\uFE0Fabc', 5, null])(
    'should count the characters of %j as class-validator does',
    async (text) => {
      const full = fullValidation().transform({ text }, { type: 'body', metatype: Texts }) as Promise<unknown>;
      expect(accept(Texts, { text })).toEqual(await full.catch(() => undefined));
    },
  );
});

describe('check', () => {
  it('should return a valid input at once', () => {
    expect(check(Part, { name: 'a', extra: 1 })).toEqual({ name: 'a' });
  });

  it('should reject a faulty one with its faults', async () => {
    await expect(check(Part, { name: ' ' })).rejects.toMatchObject({ messages: ['name must not be blank'] });
  });
});

describe('obstacleOf', () => {
  class InTurns {
    @IsValidInTurnsBy('isSlow', () => Promise.resolve([]))
    slow: unknown;
  }

  class Partial {
    @Exclude()
    @IsName()
    name: string;
  }

  class Unvalidated {
    @IsOptional()
    @Type(() => Part)
    part?: Part;
  }

  class WithDefault {
    other = 1;

    @IsName()
    name: string;
  }

  class ForGroups {
    @Transform(({ value }: { value: unknown }) => value, { groups: ['a'] })
    @IsName()
    name: string;
  }

  class Nested {
    @ValidateNested()
    @Type(() => InTurns)
    part: InTurns;
  }

  class WithoutRules {
    name: string;
  }

  it.each<ClassConstructor<object>>([InTurns, Partial, Unvalidated, WithDefault, ForGroups, Nested, WithoutRules])(
    'should leave %p to the full validation',
    (type) => {
      expect(obstacleOf(type)).toEqual(expect.any(String));
      expect(accept(type, { name: 'a' })).toBeUndefined();
    },
  );

  it('should find none in a class of known rules', () => {
    expect(obstacleOf(Whole)).toBeUndefined();
  });
});

describe('IsValidBy', () => {
  it('should refuse the name of a rule that the compiled checks take for granted', () => {
    expect(() => IsValidBy('isString', () => ['x'])).toThrow('isString');
  });
});
