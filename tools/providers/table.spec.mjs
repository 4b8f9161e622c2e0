import { PROVIDER_CATALOGUE, missingCredentials } from '#libs/channels';
import { CALLBACK_ROWS } from './callbacks.mjs';
import { MESSAGES } from './messages.mjs';
import { ROWS } from './table.mjs';

const sending = PROVIDER_CATALOGUE.filter(
  ({ id, channel, state }) => state === 'implemented' && channel !== 'in_app' && !id.startsWith('catcher-'),
);
const compared = ROWS.filter(({ unchecked }) => unchecked === undefined);

describe('the table of what providers are checked against', () => {
  it('should have a row for each provider that sends, and for no other', () => {
    const names = (all) => all.map(({ id, channel }) => `${channel}:${id}`).sort();
    expect(names(ROWS)).toEqual(names(sending));
  });

  it.each(ROWS.map((row) => [row.id, row]))('should say what %s is checked against, or why it is not', (_id, row) => {
    const { library, send, specification, unchecked } = row;
    expect(library === undefined && specification === undefined).toBe(unchecked !== undefined);
    expect(send !== undefined).toBe(library !== undefined);
    if (library !== undefined) expect(library).toMatch(/^(@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+$/);
    if (specification !== undefined) expect(specification.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  it.each(compared.map((row) => [row.id, row]))('should have credentials that %s takes', (id, row) => {
    const declaration = sending.find((one) => one.id === id && one.channel === row.channel);
    expect(missingCredentials(declaration, row.credentials)).toEqual([]);
  });

  it.each(compared.map((row) => [row.id, row]))('should name only messages that there are, for %s', (_id, row) => {
    const known = Object.keys(MESSAGES[row.channel]);
    const named = [...Object.keys(row.messages ?? {}), ...Object.keys(row.without ?? {})];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it.each(CALLBACK_ROWS.map((row) => [row.id, row]))(
    'should name a provider whose callbacks are judged: %s',
    (id, row) => {
      const declaration = sending.find((one) => one.id === id && one.channel === row.channel);
      expect(declaration?.supports.callbacks).toBe(true);
      expect(row.library).toMatch(/@\d+\.\d+\.\d+$/);
    },
  );
});
