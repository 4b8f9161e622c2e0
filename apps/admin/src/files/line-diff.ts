const CONTEXT_LINES = 3;
/** Beyond this product of lines, the whole text is shown as replaced. */
const MAX_COMPARISONS = 4_000_000;

type Sign = ' ' | '-' | '+';
type Line = readonly [sign: Sign, text: string];

/** The lines that differ, with some lines around them: `- old`, `+ new`. Empty for equal texts. */
export function lineDiff(before: string, after: string): string[] {
  const lines = compare(linesOf(before), linesOf(after));
  const isNear = lines.map((_line, at) =>
    lines.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(([sign]) => sign !== ' '),
  );
  return lines.flatMap(([sign, text], at) => {
    if (isNear[at] === true) return [`${sign} ${text}`.trimEnd()];
    return isNear[at - 1] === true && isNear.includes(true, at) ? ['  …'] : [];
  });
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** By the longest common subsequence of what is between equal beginnings and ends. */
function compare(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const keep = (text: string): Line => [' ', text];
  return [
    ...before.slice(0, start).map(keep),
    ...middle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(keep),
  ];
}

function middle(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > MAX_COMPARISONS) {
    return [...before.map((text): Line => ['-', text]), ...after.map((text): Line => ['+', text])];
  }
  const lengths = commonLengths(before, after);
  const lines: Line[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old, young] = [before[left], after[right]];
    if (old !== undefined && old === young) {
      lines.push([' ', old]);
      left += 1;
      right += 1;
    } else if (
      old !== undefined &&
      (young === undefined || at(lengths, left + 1, right) >= at(lengths, left, right + 1))
    ) {
      lines.push(['-', old]);
      left += 1;
    } else {
      lines.push(['+', young ?? '']);
      right += 1;
    }
  }
  return lines;
}

/** For each pair of places, the length of the longest common subsequence of what follows. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const row = lengths[left];
      if (row === undefined) continue;
      row[right] =
        before[left] === after[right]
          ? at(lengths, left + 1, right + 1) + 1
          : Math.max(at(lengths, left + 1, right), at(lengths, left, right + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly Uint32Array[], left: number, right: number): number {
  return lengths[left]?.[right] ?? 0;
}
