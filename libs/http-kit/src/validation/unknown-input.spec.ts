import { OmitType, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, ValidateNested } from 'class-validator';
import { IsFreeForm, IsListOf, IsName, IsValidBy } from './decorators.js';
import { fieldsOf, ReadBack, unknownFields } from './unknown-input.js';
import { warningOf } from './warning-header.js';

class Part {
  @IsName()
  name: string;
}

@ReadBack('shown')
class Whole {
  @IsName()
  name: string;

  @IsOptional()
  @Type(() => Number)
  @IsInt()
  count?: number;

  @ValidateNested()
  @Type(() => Part)
  part: Part;

  @IsListOf(() => Part, 5)
  parts: Part[];

  @IsFreeForm()
  data: object;

  @IsValidBy('isOwn', () => [], () => ({ a: true, b: { c: true } }))
  own: unknown;
}

class Change extends PartialType(OmitType(Whole, ['count'] as const)) {}

describe('fieldsOf', () => {
  it('should know what the validation of a class lets pass', () => {
    expect(fieldsOf(Whole)).toEqual({
      name: true,
      count: true,
      part: { name: true },
      parts: { name: true },
      data: true,
      own: { a: true, b: { c: true } },
      shown: true,
    });
  });

  it('should know it of mapped types as well, but not what is only shown of the others', () => {
    const { count, shown, ...rest } = fieldsOf(Whole) as Record<string, unknown>;
    expect([count, shown]).toEqual([true, true]);
    expect(fieldsOf(Change)).toEqual(rest);
  });
});

describe('unknownFields', () => {
  const told = (input: unknown): string[] => unknownFields(input, fieldsOf(Whole));

  it.each([undefined, null, 'text', 5, [], [1, null], {}])('should find nothing in %j', (input) => {
    expect(told(input)).toEqual([]);
  });

  it('should name what is unknown by its path, in the order in which it was sent', () => {
    const input = { x: 1, part: { y: 1 }, parts: [{ name: 'a' }, { z: 1 }], data: { any: 1 }, own: [{ b: { d: 1 } }] };
    expect(told(input)).toEqual(['x', 'part.y', 'parts.1.z', 'own.0.b.d']);
  });

  it('should say nothing of what records show and nobody sets', () => {
    expect(told({ _id: 1, __v: 1, id: 1, createdAt: 1, updatedAt: 1, deleted: 1, shown: 1, part: { _id: 1 } })).toEqual(
      [],
    );
  });

  it('should not take what objects inherit for a field', () => {
    expect(told({ toString: 1, hasOwnProperty: 1 })).toEqual(['toString', 'hasOwnProperty']);
  });

  it('should stop after a hundred, and look at so many entries only', () => {
    expect(told(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, 1])))).toHaveLength(100);
    expect(told({ parts: [...Array.from({ length: 30_000 }, () => ({ name: 'a' })), { z: 1 }] })).toEqual([]);
  });
});

describe('warningOf', () => {
  it('should name both kinds', () => {
    expect(warningOf(['a.b'], ['c[d]'])).toBe(
      'unknown body fields ignored: a.b; unknown query parameters ignored: c[d]',
    );
  });

  it('should be a header value whatever the names are', () => {
    expect(warningOf(['a\r\nb: c', 'ü', ...Array.from({ length: 9 }, () => 'x')], [])).toMatch(
      /^[\x20-\x7e]+ and 1 more$/,
    );
  });
});
