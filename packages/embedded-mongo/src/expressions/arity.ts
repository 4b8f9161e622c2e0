import { StoreError } from '../errors.js';

const ONE =
  '$not $type $isNumber $toString $toInt $toLong $toDouble $toDecimal $toBool $toDate $toObjectId $objectToArray $arrayToObject $isArray $size ' +
  '$first $last $reverseArray $anyElementTrue $allElementsTrue $abs $ceil $exp $floor $ln $log10 $sqrt $strLenCP $strLenBytes ' +
  '$toUpper $toLower';
const TWO =
  '$eq $ne $lt $lte $gt $gte $cmp $subtract $divide $mod $pow $log $arrayElemAt $in $setDifference $setIsSubset $split $strcasecmp';

/** Fewest and most arguments of the functions that do not take any number of them. */
const ARITY = new Map<string, readonly [number, number]>([
  ...ONE.split(' ').map((name) => [name, [1, 1]] as const),
  ...TWO.split(' ').map((name) => [name, [2, 2]] as const),
  ['$substrCP', [3, 3]],
  ['$slice', [2, 3]],
  ['$range', [2, 3]],
  ['$indexOfArray', [2, 4]],
  ['$round', [1, 2]],
  ['$trunc', [1, 2]],
]);

export function assertArity(name: string, count: number): void {
  const [fewest, most] = ARITY.get(name) ?? [0, Number.POSITIVE_INFINITY];
  if (count >= fewest && count <= most) return;
  const wanted = fewest === most ? `exactly ${fewest}` : `${fewest} to ${most}`;
  throw new StoreError(
    'Location16020',
    `Expression ${name} takes ${wanted} arguments. ${count} were passed in.`,
    {},
    16020,
  );
}
