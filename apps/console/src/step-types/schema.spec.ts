import { changed, initialOf, inputOf, membersOf, unitNameOf } from './schema.js';

const SCHEMA = {
  properties: {
    type: { type: 'string', enum: ['regular', 'scheduled'] },
    amount: { type: 'integer', 'x-when': { type: 'regular' } },
    path: { type: 'string', 'x-when': { type: 'scheduled' } },
  },
  required: ['type'],
};

describe('membersOf', () => {
  it('should ask for what the other values call for', () => {
    const names = (type?: string): string[] => membersOf(SCHEMA, { type }).map(({ name }) => name);
    expect([names('regular'), names('scheduled'), names()]).toEqual([['type', 'amount'], ['type', 'path'], ['type']]);
    expect(membersOf(SCHEMA, {})[0]).toMatchObject({ isRequired: true });
  });
});

const DIGEST = {
  properties: {
    type: { enum: ['regular', 'backoff', 'timed'], default: 'regular' },
    amount: {
      type: 'number',
      'x-initial': 5,
      'x-cases': [{ 'x-when': { type: 'timed' }, title: 'Every', 'x-initial': 1 }],
    },
    before: { type: 'number', 'x-when': { type: ['backoff'] }, 'x-initial': 2 },
    key: { type: 'string', 'x-unless': { type: ['timed', 'backoff'] } },
  },
};

describe('membersOf, with hints', () => {
  const titled = (values: object): unknown[] =>
    membersOf(DIGEST, { ...values }).map(({ name, title }) => [name, title].join(' ').trim());

  it('should take the default for what is absent, and hints that differ', () => {
    expect([titled({}), titled({ type: 'backoff' }), titled({ type: 'timed' })]).toEqual([
      ['type', 'amount', 'key'],
      ['type', 'amount', 'before'],
      ['type', 'amount Every'],
    ]);
  });
});

describe('initialOf', () => {
  it('should be what is asked for first', () => {
    expect(initialOf(DIGEST)).toEqual({ amount: 5 });
    expect(initialOf({})).toEqual({});
  });
});

describe('changed', () => {
  it('should let go what is asked for no longer, and begin what is', () => {
    const first = { amount: 3, key: 'order.id', kept: true };
    const second = changed(DIGEST, first, 'type', 'backoff', {});
    expect(second).toEqual({ type: 'backoff', amount: 3, before: 2, kept: true });
    const third = changed(DIGEST, second, 'type', 'timed', first);
    expect(third).toEqual({ type: 'timed', amount: 1, kept: true });
    expect(changed(DIGEST, third, 'type', undefined, first)).toEqual({ amount: 5, key: 'order.id', kept: true });
  });

  it('should leave what was not asked for, and what is emptied', () => {
    expect(changed(DIGEST, { before: 9, amount: 3 }, 'amount', undefined, {})).toEqual({ before: 9 });
  });
});

describe('unitNameOf', () => {
  it('should be beside the amount', () => {
    const names = ['amount', 'backoffAmount'].map((name) =>
      unitNameOf({ name, isRequired: true, 'x-control': 'duration' }),
    );
    expect([...names, unitNameOf({ name: 'amount', isRequired: true })]).toEqual(['unit', 'backoffUnit', undefined]);
  });
});

describe('inputOf', () => {
  it.each([
    [{ type: 'string', enum: ['a'] }, 'choice'],
    [{ type: 'boolean' }, 'check'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'string' }, 'text'],
    [{ type: 'string', 'x-control': 'code' }, 'long'],
    [{ type: 'array', items: { type: 'string' } }, 'texts'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'array', items: { type: 'object', properties: { path: { type: 'string' } } } }, 'rows'],
    [{ type: 'array', 'x-control': 'json', items: { properties: {} } }, 'json'],
    [{ type: 'string', 'x-labels': { a: 'A' }, 'x-other': { choice: 'Another' } }, 'open'],
    [{ type: 'string', 'x-control': 'step' }, 'step'],
    [{ type: 'object', 'x-control': 'timed' }, 'timed'],
    [{ type: 'object' }, 'json'],
    [{}, 'json'],
  ])('should choose by the schema: %j', (member, input) => {
    expect(inputOf(member)).toBe(input);
  });
});
