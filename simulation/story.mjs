const WIDTH = 12;

/** @returns who hears of a run and prints it: for people a line for each thing that somebody did or saw, else JSON */
export function storyOf(isJson, print) {
  return (line) => {
    if (isJson) return print(JSON.stringify(line));
    const { atMs, step, who, what } = line;
    return print(
      `${(atMs / 1_000).toFixed(3).padStart(9)} s  ${String(step).padStart(6)}  ${who.padEnd(WIDTH)}  ${what}`,
    );
  };
}
