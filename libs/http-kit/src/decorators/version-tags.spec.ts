import { versionsIn } from './version-tags.js';

describe('versionsIn', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['*', undefined],
    ['"7"', [7]],
    ['W/"7"', [7]],
    ['"7", "8"', [7, 8]],
    ['7', []],
    ['"abc"', []],
    ['"-1"', []],
  ])('should read %j as %j', (header, versions) => {
    expect(versionsIn(header)).toEqual(versions);
  });
});
