/** One or two letters that stand for a name, such as AL for Ada Lovelace. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = '', second] = words;
  const letters = second === undefined ? [...first].slice(0, 2) : [[...first][0], [...second][0]];
  return letters.map((letter, place) => (place === 0 ? letter?.toLocaleUpperCase() : letter)).join('') || '?';
}

/** The same name always has the same one of so many colors. */
export function colorOf(name: string, colors: number): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return sum % colors;
}
