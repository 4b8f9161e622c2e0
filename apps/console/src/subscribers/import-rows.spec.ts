import { checkedRows, guessedTargets, nextPortion, refusedRows, type Row } from './import-rows.js';

const HEADINGS = ['User ID', 'First name', 'E-Mail', 'plan', 'mail'];

it('should guess where columns go, and use each target once', () => {
  expect(guessedTargets(HEADINGS)).toEqual(['subscriberId', 'firstName', 'email', 'data', 'data']);
  expect(guessedTargets(['timezone', 'Language', '', 'constructor'])).toEqual(['timezone', 'locale', 'data', 'data']);
});

it('should make subscribers of rows, and leave out empty cells', () => {
  const { rows, faults } = checkedRows(
    HEADINGS,
    [
      [' ada ', 'Ada', 'ada@example.com', 'pro', ''],
      ['grace', '', '', '', ''],
    ],
    ['subscriberId', 'firstName', 'email', 'data', 'none'],
  );
  expect(faults).toEqual([]);
  expect(rows).toEqual([
    { line: 2, subscriber: { subscriberId: 'ada', firstName: 'Ada', email: 'ada@example.com', data: { plan: 'pro' } } },
    { line: 3, subscriber: { subscriberId: 'grace' } },
  ]);
});

it.each([
  [['', 'a@b'], 'There is no id.'],
  [['x'.repeat(256), 'a@b'], 'The id is longer than 255 characters.'],
  [['b', 'no address'], 'no address is not an email address.'],
  [['a', 'a@b'], 'The id is in line 2 as well.'],
])('should find the fault of %j', (cells, message) => {
  const { faults } = checkedRows(['id', 'email'], [['a', 'a@b'], cells], ['subscriberId', 'email']);
  expect(faults).toEqual([{ line: 3, subscriberId: cells[0], message }]);
});

it.each([
  ['locale', 'de_AT', undefined],
  ['locale', 'x', 'x is not a language.'],
  ['timezone', 'Europe/Berlin', undefined],
  ['timezone', 'Mars', 'Mars is not a time zone.'],
  ['phone', '+49 (30) 1234-5', undefined],
  ['phone', 'none', 'none is not a phone number.'],
  ['avatar', 'https://example.com/a.png', undefined],
  ['avatar', 'a.png', 'a.png is not a URL.'],
] as const)('should check %s %s', (target, text, message) => {
  const { faults } = checkedRows(['id', target], [['a', text]], ['subscriberId', target]);
  expect(faults.map((fault) => fault.message)).toEqual(message === undefined ? [] : [message]);
});

it('should divide rows by number and by size', () => {
  const rows = Array.from({ length: 700 }, (_, at): Row => ({ line: at + 2, subscriber: { subscriberId: `s${at}` } }));
  expect([nextPortion(rows, 0).length, nextPortion(rows, 500).length]).toEqual([500, 200]);
  const large = rows.map((row): Row => ({
    ...row,
    subscriber: { ...row.subscriber, data: { text: 'x'.repeat(200_000) } },
  }));
  expect([nextPortion(large, 0).length, nextPortion(large, 700).length]).toEqual([1, 0]);
});

it('should tell which rows were refused', () => {
  const rows = ['a', 'b', 'c'].map((subscriberId, at): Row => ({ line: at + 2, subscriber: { subscriberId } }));
  const failed = [
    { subscriberId: 'b', message: 'subscribers.1.email must be an email; subscribers.1.phone is long' },
    { subscriberId: 'c', message: 'This environment has no active slack integration.' },
  ];
  expect(refusedRows(rows, failed)).toEqual([
    { line: 3, subscriberId: 'b', message: 'email must be an email; phone is long' },
    { line: 4, subscriberId: 'c', message: 'This environment has no active slack integration.' },
  ]);
});
