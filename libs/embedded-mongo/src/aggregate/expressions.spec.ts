import { Long } from 'bson';
import { BSON } from '../../test/support/server.js';
import { decode, encode } from '../bson/codec.js';
import { compileExpression } from './expressions.js';

const DOCUMENT = { _id: 1, d: new Date('2026-03-31T23:30:15.123Z'), s: 'Ünï', n: -7 };

const CASES: [expression: unknown, value: unknown][] = [
  [{ $dateToString: { date: '$d', format: '%H', timezone: 'Europe/Berlin' } }, '01'],
  [{ $dateToString: { date: '$d', format: '%Y-%m-%d %H:%M', timezone: '+02:00' } }, '2026-04-01 01:30'],
  [{ $dateToString: { date: '$d' } }, '2026-03-31T23:30:15.123Z'],
  [{ $dateToString: { date: null, format: '%Y', onNull: 'x' } }, 'x'],
  [{ $dateToString: { date: '$nope', format: '%Y' } }, null],
  [{ $hour: { date: '$d', timezone: 'Europe/Berlin' } }, 1],
  [{ $dayOfMonth: { date: '$d', timezone: 'Europe/Berlin' } }, 1],
  [{ $dayOfWeek: '$d' }, 3],
  [{ $dayOfYear: '$d' }, 90],
  [{ $month: '$d' }, 3],
  [{ $millisecond: '$d' }, 123],
  [{ $year: null }, null],
  [{ $dateAdd: { startDate: '$d', unit: 'month', amount: 1 } }, new Date('2026-04-30T23:30:15.123Z')],
  [{ $dateSubtract: { startDate: '$d', unit: 'month', amount: 1 } }, new Date('2026-02-28T23:30:15.123Z')],
  [{ $dateAdd: { startDate: '$d', unit: 'hour', amount: -2 } }, new Date('2026-03-31T21:30:15.123Z')],
  [
    {
      $dateDiff: {
        startDate: new Date('2026-03-31T23:00:00Z'),
        endDate: new Date('2026-04-01T00:30:00Z'),
        unit: 'day',
      },
    },
    1,
  ],
  [
    {
      $dateDiff: {
        startDate: new Date('2026-03-31T23:50:00Z'),
        endDate: new Date('2026-04-01T00:10:00Z'),
        unit: 'hour',
      },
    },
    1,
  ],
  [
    {
      $dateDiff: {
        startDate: new Date('2026-01-31T00:00:00Z'),
        endDate: new Date('2026-02-01T00:00:00Z'),
        unit: 'month',
      },
    },
    1,
  ],
  [
    {
      $dateDiff: {
        startDate: new Date('2026-04-04T00:00:00Z'),
        endDate: new Date('2026-04-05T00:00:00Z'),
        unit: 'week',
      },
    },
    1,
  ],
  [{ $dateDiff: { startDate: '$d', endDate: new Date('2026-03-31T23:30:16.122Z'), unit: 'second' } }, 1],
  [{ $dateTrunc: { date: '$d', unit: 'month' } }, new Date('2026-03-01')],
  [{ $dateTrunc: { date: '$d', unit: 'week' } }, new Date('2026-03-29')],
  [{ $dateTrunc: { date: '$d', unit: 'week', startOfWeek: 'monday' } }, new Date('2026-03-30')],
  [{ $dateTrunc: { date: '$d', unit: 'hour', binSize: 6 } }, new Date('2026-03-31T18:00:00Z')],
  [{ $dateTrunc: { date: '$d', unit: 'minute', binSize: 15 } }, new Date('2026-03-31T23:30:00Z')],
  [{ $dateTrunc: { date: '$d', unit: 'quarter' } }, new Date('2026-01-01')],
  [{ $dateTrunc: { date: '$d', unit: 'day', binSize: 2 } }, new Date('2026-03-31T00:00:00Z')],
  [{ $mod: ['$n', 3] }, -1],
  [{ $mod: [5.5, 2] }, 1.5],
  [{ $pow: [2, 10] }, 1024],
  [{ $sqrt: 16 }, 4],
  [{ $abs: '$n' }, 7],
  [{ $abs: null }, null],
  [{ $ceil: 1.2 }, 2],
  [{ $floor: '$nope' }, null],
  [{ $round: [-2.5, 0] }, -2],
  [{ $round: [1234.5, -2] }, 1200],
  [{ $round: [3.5, 0] }, 4],
  [{ $round: [0.285, 2] }, 0.28],
  [{ $trunc: [-2.7, 0] }, -2],
  [{ $trunc: [2.789, 1] }, 2.7],
  [{ $divide: ['$nope', 2] }, null],
  [{ $ln: Math.E }, 1],
  [{ $log: [8, 2] }, 3],
  [{ $log10: 1000 }, 3],
  [{ $exp: 0 }, 1],
  [{ $toLower: '$s' }, 'Ünï'],
  [{ $toUpper: '$s' }, 'ÜNï'],
  [{ $toUpper: null }, ''],
  [{ $toLower: '$nope' }, ''],
  [{ $toUpper: 5 }, '5'],
  [{ $strcasecmp: ['a', 'B'] }, -1],
  [{ $substrCP: ['héllo', 1, 2] }, 'él'],
  [{ $substrCP: [null, 0, 1] }, ''],
  [{ $strLenBytes: 'é' }, 2],
  [{ $split: [null, ','] }, null],
  [{ $split: ['a', ','] }, ['a']],
  [{ $trim: { input: 'xxaxx', chars: 'x' } }, 'a'],
  [{ $ltrim: { input: '  a ' } }, 'a '],
  [{ $rtrim: { input: ' a  ' } }, ' a'],
  [{ $trim: { input: null } }, null],
  [{ $replaceAll: { input: 'a.b.c', find: '.', replacement: '' } }, 'abc'],
  [{ $replaceAll: { input: null, find: '.', replacement: '' } }, null],
  [{ $regexMatch: { input: '$nope', regex: 'a' } }, false],
  [{ $regexMatch: { input: 'a\nb', regex: '^b', options: 'm' } }, true],
  [{ $concat: [] }, ''],
  [{ $toString: new Date(0) }, '1970-01-01T00:00:00.000Z'],
  [{ $toString: 1.5 }, '1.5'],
  [{ $toInt: 1.9 }, 1],
  [{ $toDouble: '1.5' }, 1.5],
  [{ $toBool: 'false' }, true],
  [{ $toDate: Long.fromNumber(1000) }, new Date(1000)],
  [{ $toLong: '5' }, 5],
  [{ $max: ['$n', 3] }, 3],
  [{ $avg: [1, 2] }, 1.5],
  [{ $avg: [] }, null],
  [{ $sum: [] }, 0],
  [{ $min: [] }, null],
  [{ $cmp: ['$nope', null] }, -1],
  [{ $isArray: [[1]] }, true],
  [{ $isArray: ['$n'] }, false],
  [{ $arrayElemAt: [[1, 2], 5] }, undefined],
  [{ $indexOfArray: [[1, 2], 2] }, 1],
  [{ $slice: [[1, 2, 3], -2] }, [2, 3]],
  [{ $slice: [[1, 2, 3], 1, 1] }, [2]],
  [{ $slice: [[1, 2, 3], -3, 2] }, [1, 2]],
  [{ $range: [0, 5, 2] }, [0, 2, 4]],
  [{ $first: [[]] }, undefined],
  [{ $last: [[1, 2]] }, 2],
  [{ $reverseArray: [[1, 2]] }, [2, 1]],
  [{ $in: [1, [1, 2]] }, true],
  [{ $setDifference: [[1, 2, 2], [2]] }, [1]],
  [{ $allElementsTrue: [[1, true]] }, true],
  [{ $anyElementTrue: [[0, false]] }, false],
  [{ $setIsSubset: [[1], [1, 2]] }, true],
  [
    {
      $setEquals: [
        [1, 2],
        [2, 1, 1],
      ],
    },
    true,
  ],
  [{ $cond: [true, '$nope', 'x'] }, undefined],
  [{ $literal: { $add: [1, 2] } }, { $add: [1, 2] }],
  [{ $not: ['$nope'] }, true],
  [{ $and: [] }, true],
  [{ $or: [] }, false],
  [{ $type: '$d' }, 'date'],
  [{ $type: 1 }, 'int'],
  [{ $type: 1.5 }, 'double'],
  [{ $isNumber: '$n' }, true],
  [{ $add: [] }, 0],
  [{ $multiply: [] }, 1],
  [{ $subtract: [3, 1.5] }, 1.5],
  [{ $subtract: ['$d', 1000] }, new Date('2026-03-31T23:30:14.123Z')],
  [{ $objectToArray: null }, null],
  [{ $mergeObjects: [null, { a: 1 }] }, { a: 1 }],
  [{ $arrayToObject: [[['a', 1]]] }, { a: 1 }],
  [{ $unsetField: { field: 'a', input: { a: 1, b: 2 } } }, { b: 2 }],
  [{ $setField: { field: 'a', input: { b: 1 }, value: 2 } }, { b: 1, a: 2 }],
  [{ $filter: { input: [1, 2, 3], cond: { $gt: ['$$this', 1] } } }, [2, 3]],
  [{ $map: { input: null, in: 1 } }, null],
  [{ $reduce: { input: ['a', 'b'], initialValue: '', in: { $concat: ['$$value', '$$this'] } } }, 'ab'],
];

const REFUSED: unknown[] = [
  { $dateToString: { date: '$d', timezone: 'America/New_York', format: '%d %j %u %U %V %G %z %Z %L %S %%' } },
  { $dateAdd: { startDate: '$d', unit: 'day', amount: 1, timezone: 'Europe/Berlin' } },
  { $dateAdd: { startDate: new Date('2026-03-28T12:00:00Z'), unit: 'day', amount: 1, timezone: 'Europe/Berlin' } },
  { $dateTrunc: { date: '$d', unit: 'day', timezone: 'Europe/Berlin' } },
  { $divide: [1, 0] },
  { $strLenCP: '$nope' },
  { $concat: [1, 'a'] },
  { $size: '$nope' },
  { $toInt: '1.9' },
  { $toDate: 1000 },
  { $add: ['a', 1] },
  { $switch: { branches: [{ case: false, then: 1 }] } },
];

/** As it comes in over the wire and as it goes out to a driver; undefined when the field would be missing. */
function evaluate(expression: unknown): unknown {
  const { e } = decode(encode({ e: expression }));
  const value = compileExpression(e)({ root: decode(encode(DOCUMENT)), variables: {} });
  return BSON.deserialize(encode({ value })).value as unknown;
}

describe('compileExpression', () => {
  it.each(CASES)('should evaluate %j to %j', (expression, value) => {
    expect(evaluate(expression)).toEqual(value);
  });

  it.each(REFUSED.map((expression) => [expression]))('should refuse %j', (expression) => {
    expect(() => evaluate(expression)).toThrow();
  });
});
