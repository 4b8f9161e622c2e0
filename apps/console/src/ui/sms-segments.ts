/** The characters that a text message can have without becoming a Unicode message (GSM 03.38). */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** Those that take the place of two. */
const EXTENDED = '^{}\\[~]|€\f';

export interface Segments {
  readonly encoding: 'GSM-7' | 'Unicode';
  /** In units of the encoding. */
  readonly length: number;
  readonly segments: number;
  /** What still fits into the last segment. */
  readonly left: number;
  /** The first character that makes it a Unicode message. */
  readonly because?: string;
}

const LIMITS = { 'GSM-7': [160, 153], Unicode: [70, 67] } as const;

/** In how many parts a phone network sends a text, and bills it. */
export function segmentsOf(text: string): Segments {
  const because = [...text].find((character) => !BASIC.includes(character) && !EXTENDED.includes(character));
  const encoding = because === undefined ? 'GSM-7' : 'Unicode';
  const [alone, joined] = LIMITS[encoding];
  const units = because === undefined ? unitsOf(text) : Array.from<number>({ length: text.length }).fill(1);
  const length = units.reduce((sum, one) => sum + one, 0);
  if (length <= alone)
    return { encoding, length, segments: length === 0 ? 0 : 1, left: alone - length, ...(because && { because }) };
  let segments = 1;
  let used = 0;
  for (const one of units) {
    // A character is not divided.
    if (used + one > joined) {
      segments += 1;
      used = 0;
    }
    used += one;
  }
  return { encoding, length, segments, left: joined - used, ...(because && { because }) };
}

function unitsOf(text: string): number[] {
  return [...text].map((character) => (EXTENDED.includes(character) ? 2 : 1));
}
