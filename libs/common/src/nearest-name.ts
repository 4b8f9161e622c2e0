import leven from 'leven';

/**
 * Tolerates another case, swapped letters, and few missing, added or replaced ones.
 * @param maxEdits default: a third of the letters, at most three
 * @returns undefined if none is near
 */
export function nearestName(
  name: string,
  names: Iterable<string>,
  maxEdits = Math.min(3, Math.ceil(name.length / 3)),
): string | undefined {
  const written = name.toLowerCase();
  let best: { readonly name: string; readonly edits: number } | undefined;
  for (const candidate of names) {
    const known = candidate.toLowerCase();
    if (Math.abs(known.length - written.length) > maxEdits) continue;
    const edits = lettersOf(written) === lettersOf(known) ? Number(written !== known) : leven(written, known);
    if (edits <= maxEdits && edits < (best?.edits ?? Infinity)) best = { name: candidate, edits };
  }
  return best?.name;
}

function lettersOf(text: string): string {
  return [...text].sort().join('');
}
