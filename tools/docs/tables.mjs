/** Replaces the text between `<!-- marker -->` and `<!-- /marker -->`. */
export function replaceBetween(document, marker, text, path) {
  const [open, close] = [`<!-- ${marker} -->`, `<!-- /${marker} -->`];
  const start = document.indexOf(open);
  const end = document.indexOf(close);
  if (start < 0 || end < start)
    throw new Error(`${path} has no place for the table: put ${open} and ${close} into it.`);
  return `${document.slice(0, start + open.length)}\n\n${text}\n\n${document.slice(end)}`;
}

/** The settings as a table, from `.env.example`. */
export function settingsTable(entries) {
  const rows = entries.map(({ key, value, isDefault, meaning }) => {
    const shown = isDefault && value !== '' ? `\`${value}\`` : isDefault ? 'empty' : 'unset';
    return `| \`${key}\` | ${shown} | ${meaning.replaceAll('|', '\\|')} |`;
  });
  return ['| Setting | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}

/** What is promised, and who holds it. */
export function promiseTable(promises) {
  const rows = Object.entries(promises).map(([id, { sentence, tests }]) => {
    const held = tests === undefined ? 'the simulator' : tests.map((path) => `\`${path}\``).join(', ');
    return `| ${id} | ${sentence} | ${held} |`;
  });
  return ['| | Promise | Held by |', '|---|---|---|', ...rows].join('\n');
}
