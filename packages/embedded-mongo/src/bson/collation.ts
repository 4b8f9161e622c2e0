import { isDoc } from './codec.js';
import { isNumeric, numberOf } from './numbers.js';
import { badValue, failedToParse, notSupported } from '../errors.js';
import { compareValues } from './values.js';

/** How texts compare by the rules of a language. */
export interface Collation {
  readonly compare: (a: string, b: string) => number;
}

const SENSITIVITIES = ['base', 'accent', 'variant'] as const;
/** Options whose usual value may be given. */
const USUAL: Record<string, unknown> = {
  caseLevel: false,
  alternate: 'non-ignorable',
  maxVariable: 'punct',
  normalization: false,
  backwards: false,
  version: undefined,
};

const known = new Map<string, Intl.Collator>();
const MOST_KNOWN = 100;

/** The collation of a command; undefined for the simple one, which compares bytes. */
export function parseCollation(value: unknown): Collation | undefined {
  if (value === undefined) return undefined;
  if (!isDoc(value)) throw failedToParse("'collation' must be a document");
  if (Object.keys(value).length === 0 || value.locale === 'simple') return undefined;
  const { locale, strength, numericOrdering, caseFirst, ...others } = value;
  if (typeof locale !== 'string') throw failedToParse("'collation' needs a 'locale'");
  const level = strength === undefined ? 3 : isNumeric(strength) ? Number(numberOf(strength)) : 0;
  const sensitivity = SENSITIVITIES[level - 1];
  if (sensitivity === undefined) throw notSupported('a collation with this strength', 'use 1, 2 or 3');
  for (const [name, option] of Object.entries(others)) {
    if (!(name in USUAL)) throw failedToParse(`unknown collation option '${name}'`);
    if (option !== USUAL[name] && name !== 'version')
      throw notSupported(`the collation option '${name}'`, 'use strength, numericOrdering and caseFirst');
  }
  const first = caseFirst === undefined || caseFirst === 'off' ? 'false' : caseFirst;
  if (first !== 'upper' && first !== 'lower' && first !== 'false')
    throw badValue("'caseFirst' must be upper, lower or off");
  return collatorOf(locale, { sensitivity, numeric: numericOrdering === true, caseFirst: first });
}

function collatorOf(locale: string, options: Intl.CollatorOptions): Intl.Collator {
  const key = JSON.stringify([locale, options]);
  const present = known.get(key);
  if (present) return present;
  try {
    const [canonical = ''] = Intl.Collator.supportedLocalesOf(locale.replaceAll('_', '-'));
    if (canonical === '') throw new RangeError('not known');
    const made = new Intl.Collator(canonical, options);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(key, made);
    return made;
  } catch {
    throw badValue(`the locale '${locale.slice(0, 50)}' of the collation is not known`);
  }
}

/** What a sort by the rules of a language orders by. */
export class CollatedKey {
  constructor(
    private readonly values: readonly unknown[],
    private readonly directions: readonly number[],
    private readonly collation: Collation,
    /** About its size. */
    readonly length: number,
  ) {}

  compare(other: CollatedKey): number {
    for (const [at, value] of this.values.entries()) {
      const order = compareValues(value, other.values[at], this.collation.compare) * (this.directions[at] ?? 1);
      if (order !== 0) return order;
    }
    return 0;
  }
}
