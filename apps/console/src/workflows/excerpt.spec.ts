import { excerptOf, textAt } from './excerpt.js';

describe('excerptOf', () => {
  it('shows two lines before and after', () => {
    expect(excerptOf('1\n2\n3\n4\n5\n6', 4).map(({ number }) => number)).toEqual([2, 3, 4, 5, 6]);
    expect(excerptOf('1\n2', 1)).toEqual([
      { number: 1, text: '1', isFault: true },
      { number: 2, text: '2', isFault: false },
    ]);
  });

  it('cuts long lines around the column', () => {
    const [line] = excerptOf(`${'a'.repeat(1_000)}{{#if}}${'b'.repeat(1_000)}`, 1, 1_001);
    expect(line?.text).toMatch(/^…a+\{\{#if\}\}b+…$/);
    expect(line?.text.length).toBeLessThan(170);
  });
});

describe('textAt', () => {
  it('follows lists and objects, and nothing inherited', () => {
    expect(textAt({ content: [{ url: 'x' }] }, 'content.0.url')).toBe('x');
    expect(textAt({ content: 'x' }, 'content.length')).toBeUndefined();
    expect(textAt({}, 'constructor.name')).toBeUndefined();
  });
});
