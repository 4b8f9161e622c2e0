import { without } from './override-values.js';

describe('without', () => {
  it('should name each address once and none that is there already', () => {
    expect(without(['a@x.example', 'A@x.example', 'b@x.example', 'c@x.example'], ['C@X.example'])).toEqual([
      'a@x.example',
      'b@x.example',
    ]);
  });
});
