import { joinEquivalentPaths } from './publish.js';
import type { Answer, Operation } from './openapi.types.js';
import { shareParts } from './shared-parts.js';

const answer = (description: string, ...codes: string[]): Answer => ({
  description,
  content: { 'application/json': { examples: Object.fromEntries(codes.map((code) => [code, { value: { code } }])) } },
});
const operation = (responses: Operation['responses']): Operation => ({ responses });

describe('shareParts', () => {
  it('should share error responses that several operations have, and leave those of one where they are', () => {
    const operations = [
      operation({ '404': answer('Not found.', 'feed_not_found') }),
      operation({ '404': answer('Not found.', 'feed_not_found'), '409': answer('In use.', 'feed_in_use') }),
    ];
    const { responses } = shareParts(operations);
    expect(Object.keys(responses)).toEqual(['FeedNotFound']);
    expect(operations[1]?.responses['404']).toEqual({ $ref: '#/components/responses/FeedNotFound' });
    expect(operations[1]?.responses['409']).toMatchObject({ description: 'In use.' });
  });

  it('should not share responses of one name that mean different things', () => {
    const operations = ['A.', 'A.', 'B.', 'B.'].map((text) => operation({ '401': answer(text, 'unauthorized') }));
    expect(shareParts(operations).responses).toEqual({ Unauthorized: answer('A.', 'unauthorized') });
    expect(operations[2]?.responses['401']).toEqual(answer('B.', 'unauthorized'));
  });
});

describe('joinEquivalentPaths', () => {
  it('should join paths that differ by the names of parameters only, and rename the parameters', () => {
    const item = (method: string, name: string): object => ({
      [method]: { parameters: [{ name, in: 'path' }], responses: {} },
    });
    const paths = joinEquivalentPaths({ '/a/{level}': item('get', 'level'), '/a/{id}': item('patch', 'id') });
    expect(paths).toEqual({ '/a/{levelOrId}': { ...item('get', 'levelOrId'), ...item('patch', 'levelOrId') } });
  });
});
