import { idsIn, inPortions, memberCount } from './topic-words.js';

it('should read ids in lines and lists, each once', () => {
  expect(idsIn(' ada\n grace ;ada,,\r\nalan turing\n')).toEqual(['ada', 'grace', 'alan turing']);
  expect(idsIn(' \n')).toEqual([]);
});

it('should divide ids into portions of one request', () => {
  const ids = Array.from({ length: 1_001 }, (_, at) => `s${at}`);
  expect(inPortions(ids).map(({ length }) => length)).toEqual([500, 500, 1]);
  expect(inPortions(ids).flat()).toEqual(ids);
  expect(inPortions([])).toEqual([]);
});

it('should count in words', () => {
  expect([memberCount(0), memberCount(1), memberCount(1_200)]).toEqual([
    '0 subscribers',
    '1 subscriber',
    '1,200 subscribers',
  ]);
});
