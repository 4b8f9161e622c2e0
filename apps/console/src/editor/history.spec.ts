import { beginHistory, changed, redone, undone } from './history.js';

describe('history', () => {
  it('should undo and redo changes in order', () => {
    const edited = changed(changed(beginHistory('a'), 'b', 'x', 0), 'c', 'y', 10);
    expect(undone(edited).present).toBe('b');
    expect(undone(undone(edited)).present).toBe('a');
    expect(undone(undone(undone(edited))).present).toBe('a');
    expect(redone(undone(edited)).present).toBe('c');
    expect(redone(edited).present).toBe('c');
  });

  it('should undo what was typed into one field at once, until there is a pause', () => {
    const typed = changed(changed(beginHistory(''), 'a', 'name', 0), 'ab', 'name', 500);
    expect(undone(typed).present).toBe('');
    const later = changed(typed, 'abc', 'name', 5_000);
    expect(undone(later).present).toBe('ab');
  });

  it('should forget what was undone when something else is changed', () => {
    const edited = changed(undone(changed(beginHistory('a'), 'b', 'x', 0)), 'c', 'y', 10);
    expect(redone(edited).present).toBe('c');
    expect(undone(edited).present).toBe('a');
  });
});
