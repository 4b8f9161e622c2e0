import { nearestName } from './nearest-name.js';

const NAMES = ['name', 'subject', 'content', 'contentType', 'cta'];

describe('nearestName', () => {
  it.each([
    ['subjct', 'subject'],
    ['nmae', 'name'],
    ['contenttype', 'contentType'],
    ['content_type', 'contentType'],
    ['contents', 'content'],
    ['ctaa', 'cta'],
  ])('should find what %s means', (name, meant) => {
    expect(nearestName(name, NAMES)).toBe(meant);
  });

  it.each(['colour', 'x', '', 'identifier'])('should find nothing near %j', (name) => {
    expect(nearestName(name, NAMES)).toBeUndefined();
  });

  it('should take the limit that the caller sets', () => {
    expect(nearestName('sbjct', NAMES, 1)).toBeUndefined();
    expect(nearestName('sbject', NAMES, 1)).toBe('subject');
  });
});
