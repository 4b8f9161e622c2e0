import type { Step } from './workflow-words.js';
import { inputOf } from './workflow-words.js';

const template = (fields: object): Step['template'] => fields as Step['template'];

describe('inputOf', () => {
  it('should show the fields of the input of a plugin step, and nothing of other steps', () => {
    const input = { title: 'Order {{order}}', times: 2, tags: ['a'] };
    expect(inputOf(template({ type: 'create-ticket', input }))).toEqual([
      ['title', 'Order {{order}}'],
      ['times', '2'],
      ['tags', '["a"]'],
    ]);
    expect(inputOf(template({ type: 'sms', content: 'x' }))).toEqual([]);
  });
});
