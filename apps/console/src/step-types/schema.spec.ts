import { inputOf, membersOf } from './schema.js';

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

describe('inputOf', () => {
  it.each([
    [{ type: 'string', enum: ['a'] }, 'choice'],
    [{ type: 'boolean' }, 'check'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'string' }, 'text'],
    [{ type: 'string', 'x-control': 'code' }, 'long'],
    [{ type: 'array', items: { type: 'string' } }, 'texts'],
    [{ type: 'array', items: { type: 'object' } }, 'json'],
    [{ type: 'object' }, 'json'],
    [{}, 'json'],
  ])('should choose by the schema: %j', (member, input) => {
    expect(inputOf(member)).toBe(input);
  });
});
