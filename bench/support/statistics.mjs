export const percentile = (values, part) => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * part) / 100))];
};

/** The middle value: one round that something else disturbed does not move it. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Random numbers from 0 to 1 that a seed repeats. */
export function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Measures contestants alternately: whatever else the machine does then slows all of them alike, and a ratio of two values
 * of one round means something even where the values do not. Each round begins with another contestant.
 * @param measure gives numbers by name for one contestant
 * @returns for each contestant its rounds, by the contestant's name
 */
export async function alternately(contestants, rounds, measure) {
  const names = Object.keys(contestants);
  const results = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(round + turn) % names.length];
      results[name].push(await measure(contestants[name], name));
    }
  }
  return results;
}

/** The ratio of two contestants in each round: its median, lowest and highest. */
export function ratioOf(rounds, reference, key) {
  return spreadOf(rounds.map((values, round) => values[key] / reference[round][key]));
}

export const spreadOf = (values) => ({ value: median(values), low: Math.min(...values), high: Math.max(...values) });
