import fc from 'fast-check';
import { faultsOf } from '#libs/validation';
import { span, TIME_UNITS } from '#libs/schedule';
import { delayMetadata } from '../steps/delay/delay.declaration.js';
import { digestMetadata } from './digest.declaration.js';

/** The same cases in every run; another number looks at others. */
fc.configureGlobal({ seed: 20_261_120 });

const PATH = 'steps.2.metadata';

function timed(unit: string, rule: unknown): object {
  return { type: 'timed', amount: 1, unit, timed: rule };
}

describe('digestMetadata and delayMetadata', () => {
  describe('when a digest is sound', () => {
    it.each<[string, unknown]>([
      ...TIME_UNITS.map(
        (unit) => [`regular, ${unit}`, { type: 'regular', amount: 2, unit }] satisfies [string, unknown],
      ),
      ['half an hour', { type: 'regular', amount: 0.5, unit: 'hours' }],
      ['a digest key', { type: 'regular', amount: 1, unit: 'days', digestKey: 'post.id', updateMode: false }],
      ['an empty digest key', { type: 'regular', amount: 1, unit: 'days', digestKey: '' }],
      ['the empty timed part of stored steps', { type: 'regular', amount: 1, unit: 'days', timed: { weekDays: [] } }],
      ['backoff', { type: 'backoff', amount: 1, unit: 'hours', backoffAmount: 5, backoffUnit: 'minutes' }],
      [
        'a regular one with backoff',
        { type: 'regular', amount: 1, unit: 'hours', backoff: true, backoffAmount: 5, backoffUnit: 'minutes' },
      ],
      ['timed minutes without a rule', { type: 'timed', amount: 15, unit: 'minutes' }],
      ['timed days', timed('days', { atTime: '09:30' })],
      ['timed days with seconds', timed('days', { atTime: '23:59:59' })],
      ['timed weeks', timed('weeks', { atTime: '00:00', weekDays: ['monday', 'sunday'] })],
      ['month days', timed('months', { atTime: '08:00', monthlyType: 'each', monthDays: [1, 31] })],
      ['month days by default', timed('months', { atTime: '08:00', monthDays: [15] })],
      ['an ordinal', timed('months', { atTime: '08:00', monthlyType: 'on', ordinal: 'last', ordinalValue: 'weekday' })],
    ])('should accept %s', (_, metadata) => {
      expect(faultsOf(digestMetadata, metadata, PATH)).toEqual([]);
    });
  });

  describe('when a digest is faulty', () => {
    it.each([
      ['no metadata', undefined, ['steps.2.metadata must be an object: a digest step needs a type']],
      ['an unknown type', { type: 'x', amount: 1, unit: 'days' }, ['.type must be one of regular, backoff, timed']],
      ['nothing inside', {}, ['.type must be one of', '.amount must be a number greater', '.unit must be one of']],
      ['amount 0', { type: 'regular', amount: 0, unit: 'days' }, ['.amount must be a number greater than 0']],
      ['amount as text', { type: 'regular', amount: '5', unit: 'days' }, ['.amount must be a number greater than 0']],
      ['an endless amount', { type: 'regular', amount: 1e9, unit: 'days' }, ['.amount must be at most 3650 days']],
      ['half a month', { type: 'regular', amount: 0.5, unit: 'months' }, ['.amount must be a whole number of months']],
      ['an unknown unit', { type: 'regular', amount: 1, unit: 'years' }, ['.unit must be one of seconds, minutes']],
      ['timed seconds', { type: 'timed', amount: 1, unit: 'seconds' }, ['.unit must be one of minutes, hours']],
      ['a timed fraction', { type: 'timed', amount: 1.5, unit: 'hours' }, ['.amount must be a whole number']],
      ['a number as digest key', { type: 'regular', amount: 1, unit: 'days', digestKey: 5 }, ['.digestKey must be a']],
      [
        'an expression as digest key',
        { type: 'regular', amount: 1, unit: 'days', digestKey: '{{post.id}}' },
        ['.digestKey must be a path in the payload, like order.id, without {{ and }}'],
      ],
      [
        'a prototype in the digest key',
        { type: 'regular', amount: 1, unit: 'days', digestKey: '__proto__.x' },
        ['.digestKey must not contain __proto__'],
      ],
      ['text for a boolean', { type: 'regular', amount: 1, unit: 'days', updateMode: 'no' }, ['.updateMode must be a']],
      [
        'backoff without its window',
        { type: 'backoff', amount: 1, unit: 'hours' },
        ['.backoffAmount must be a number greater than 0', '.backoffUnit must be one of'],
      ],
      ['timed days without a rule', { type: 'timed', amount: 1, unit: 'days' }, ['.timed must be an object']],
      ['timed days without a time', timed('days', {}), ['.timed.atTime must be a time of day like 09:30']],
      ['an impossible time', timed('days', { atTime: '24:00' }), ['.timed.atTime must be a time of day']],
      ['a careless time', timed('hours', { atTime: '9:5' }), ['.timed.atTime must be a time of day']],
      ['weeks without days', timed('weeks', { atTime: '09:00', weekDays: [] }), ['.timed.weekDays must list 1 to 7']],
      [
        'an unknown day',
        timed('weeks', { atTime: '09:00', weekDays: ['monday', 'Mon'] }),
        ['.timed.weekDays.1 must be one of monday'],
      ],
      ['months without days', timed('months', { atTime: '09:00' }), ['.timed.monthDays must list 1 to 31']],
      [
        'day 32',
        timed('months', { atTime: '09:00', monthDays: [1, 32] }),
        ['.timed.monthDays.1 must be a whole number from 1 to 31'],
      ],
      [
        'an incomplete ordinal',
        timed('months', { atTime: '09:00', monthlyType: 'on', ordinal: 2 }),
        ['.timed.ordinal must be one of 1, 2', '.timed.ordinalValue must be one of day, weekday'],
      ],
      [
        'an unknown monthly type',
        timed('months', { atTime: '09:00', monthlyType: 'some' }),
        ['.timed.monthlyType must be one of each, on'],
      ],
    ])('should name %s', (_, metadata, expected) => {
      const faults = faultsOf(digestMetadata, metadata, PATH);
      expect(faults).toHaveLength(expected.length);
      expected.forEach((part, index) => expect(faults[index]).toContain(part));
      expect(faults.every((fault) => fault.startsWith(PATH))).toBe(true);
    });
  });

  describe('when it is a delay', () => {
    it.each([
      ['regular', { type: 'regular', amount: 3, unit: 'weeks' }, []],
      ['scheduled', { type: 'scheduled', delayPath: 'order.sendAt' }, []],
      ['scheduled without a path', { type: 'scheduled' }, ['steps.2.metadata.delayPath must be a path in the payload']],
      ['a digest type', { type: 'timed' }, ['steps.2.metadata.type must be one of regular, scheduled']],
      ['regular without a unit', { type: 'regular', amount: 3 }, ['steps.2.metadata.unit must be one of']],
    ])('should judge %s', (_, metadata, expected) => {
      const faults = faultsOf(delayMetadata, metadata, PATH);
      expect(faults).toHaveLength(expected.length);
      expected.forEach((part, index) => expect(faults[index]).toContain(part));
    });
  });

  describe('when it is given anything at all', () => {
    it('should answer with texts that begin with the path', () => {
      const shape = fc.record({
        type: fc.constantFrom('regular', 'backoff', 'timed', 'scheduled'),
        amount: fc.anything(),
        unit: fc.oneof(fc.constantFrom(...TIME_UNITS), fc.anything()),
        timed: fc.oneof(fc.anything(), fc.record({ atTime: fc.anything(), weekDays: fc.anything() })),
      });
      fc.assert(
        fc.property(
          fc.constantFrom(digestMetadata, delayMetadata),
          fc.oneof(fc.anything(), shape),
          (schema, metadata) => faultsOf(schema, metadata, PATH).every((fault) => fault.startsWith(PATH)),
        ),
      );
    });
  });
});

describe('span', () => {
  describe('when an override of amount and unit is given', () => {
    it.each([
      ['absent', undefined, []],
      ['sound', { amount: 5, unit: 'minutes' }, []],
      ['text', '5 minutes', ['overrides.delay must be an object with amount and unit']],
      ['without a unit', { amount: 5 }, ['overrides.delay.unit must be one of']],
    ])('should judge one that is %s', (_, value, expected) => {
      const faults = faultsOf(span.nullish(), value, 'overrides.delay');
      expect(faults).toHaveLength(expected.length);
      expected.forEach((part, index) => expect(faults[index]).toContain(part));
    });
  });
});
