import fc from 'fast-check';
import { lineDiff } from './line-diff.js';

fc.configureGlobal({ seed: 20_261_123 });

describe('lineDiff', () => {
  it('should show what differs, with some lines around it', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\ni\n';
    expect(lineDiff(before, before.replace('e', 'E').replace('f\n', ''))).toEqual([
      '  b',
      '  c',
      '  d',
      '- e',
      '- f',
      '+ E',
      '  g',
      '  h',
      '  i',
    ]);
  });

  it('should leave out what is far from differences', () => {
    const lines = Array.from({ length: 20 }, (_none, index) => `line ${index}`);
    const after = lines.with(0, 'first').with(19, 'last');
    expect(lineDiff(lines.join('\n'), after.join('\n'))).toContain('  …');
  });

  it('should be empty for equal texts, and show whole texts as added', () => {
    expect(lineDiff('a\n', 'a\n')).toEqual([]);
    expect(lineDiff('', 'a\nb\n')).toEqual(['+ a', '+ b']);
  });

  it('should lead from one text to the other', () => {
    const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const diff = lineDiff(before.join('\n'), after.join('\n'));
        const side = (sign: string): string[] =>
          diff.filter((line) => line.startsWith(sign) || line.startsWith(' ')).map((line) => line.slice(2));
        if (diff.length === 0) expect(before).toEqual(after);
        else expect([side('-'), side('+')]).toEqual([before, after]);
      }),
    );
  });
});
