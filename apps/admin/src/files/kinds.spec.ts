import { readFileSync } from 'node:fs';
import { KINDS } from './kinds.js';

describe('KINDS', () => {
  it.each(KINDS.flatMap(({ name, fields }) => (fields === undefined ? [] : [[name, fields] as const])))(
    'should have every field that a file of a %s can have',
    (name, fields) => {
      const { properties } = JSON.parse(readFileSync(`schemas/${name}.json`, 'utf8')) as { properties: object };
      expect(Object.keys(properties).filter((field) => field !== '$schema')).toEqual(fields);
    },
  );
});
