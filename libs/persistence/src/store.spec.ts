import { describeUri } from './store.js';

describe('describeUri', () => {
  it.each([
    ['mongodb://a.example:27017,b.example/herald?replicaSet=rs', 'mongodb://a.example:27017,b.example/herald'],
    ['mongodb+srv://user:secret@a.example/herald', 'mongodb+srv://a.example/herald'],
    ['redis://:secret@127.0.0.1:6379/1', 'redis://127.0.0.1:6379/1'],
  ])('should say where %s leads', (uri, words) => {
    expect(describeUri(uri)).toBe(words);
  });

  it.each(['@', '/', '?', '#', ':', '%', '//', '@@', '\n'])(
    'should say nothing of a password with %j, whatever it should have been encoded as',
    (sign) => {
      expect(describeUri(`mongodb://user:first${sign}tail@a.example:1/db?x=1`)).toBe('mongodb://a.example:1/db');
    },
  );
});
