/**
 * Reads `.env.example`: comment lines with the meaning, then `KEY=value` where the value is the default, or `# KEY=value`
 * where the setting has no default and the value is an example. A meaning that begins with `Expert:` marks what few installations change.
 * @returns {{ key: string, value: string, isDefault: boolean, isExpert: boolean, meaning: string }[]}
 */
export function readExample(text) {
  const entries = [];
  let meaning = [];
  for (const line of text.split('\n')) {
    const setting = /^(# ?)?([A-Z][A-Z0-9_]*)=(.*)$/.exec(line);
    if (setting) {
      const [, commented, key, value] = setting;
      const [, expert, text] = /^(Expert: )?(.*)$/.exec(meaning.join(' '));
      entries.push({ key, value, isDefault: commented === undefined, isExpert: expert !== undefined, meaning: text });
      meaning = [];
    } else {
      const comment = /^# (.*)$/.exec(line);
      meaning = comment ? [...meaning, comment[1].trim()] : [];
    }
  }
  return entries;
}

/**
 * Faults of the example, one text each.
 * @param keys the settings in the order of the schema
 * @param load makes settings of an environment; throws when one is not valid
 */
export function exampleFaults(entries, keys, load) {
  const present = entries.map(({ key }) => key);
  const faults = [
    ...keys.filter((key) => !present.includes(key)).map((key) => `.env.example: ${key} is missing`),
    ...present.filter((key) => !keys.includes(key)).map((key) => `.env.example: ${key} is no setting`),
    ...entries.filter(({ meaning }) => meaning === '').map(({ key }) => `.env.example: ${key} has no meaning above it`),
  ];
  if (faults.length > 0) return faults;
  const misplaced = keys.find((key, index) => present[index] !== key);
  if (misplaced !== undefined) return [`.env.example: ${misplaced} is out of the order of the schema`];

  const defaults = load({});
  // Together: some need others.
  const all = load(Object.fromEntries(entries.map(({ key, value }) => [key, value])));
  return entries.flatMap(({ key, isDefault }) => {
    const shown = JSON.stringify(all.get(key));
    const actual = JSON.stringify(defaults.get(key));
    if (isDefault && shown !== actual) return [`.env.example: ${key} shows ${shown}, the default is ${actual}`];
    const unset = defaults.get(key) === undefined;
    return isDefault === unset ? [`.env.example: ${key} ${unset ? 'has no default' : 'has a default'}`] : [];
  });
}
