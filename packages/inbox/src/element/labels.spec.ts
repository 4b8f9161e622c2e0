import { directionOf, filled, labelsOf, loadLanguage } from './labels.js';
import * as languages from './languages.js';
import type { InboxLabels } from './languages.js';

describe('labelsOf', () => {
  it('should be English until another language is loaded, and English where there is none', async () => {
    expect(labelsOf('de-AT').title).toBe('Notifications');
    await loadLanguage('de-AT');
    expect(labelsOf('de-AT').title).toBe('Benachrichtigungen');
    expect(loadLanguage('fr')).toBeUndefined();
    expect(loadLanguage('xx')).toBeUndefined();
    expect(labelsOf('xx').title).toBe('Notifications');
    expect(labelsOf('en', { title: 'Inbox' })).toMatchObject({ title: 'Inbox', empty: 'Nothing here' });
  });

  it('should have a number in the same texts in all languages', () => {
    const english = Object.entries<string>({ ...labelsOf('en') });
    const numbered = english.filter(([, text]) => text.includes('{n}')).map(([name]) => name);
    expect(numbered.length).toBeGreaterThan(2);
    for (const texts of [...Object.values<InboxLabels>(languages)]) {
      const found = Object.entries<string>({ ...texts }).filter(([, text]) => text.includes('{n}'));
      expect(found.map(([name]) => name)).toEqual(numbered);
    }
  });
});

it.each([
  ['ar-EG', 'rtl'],
  ['he', 'rtl'],
  ['de', 'ltr'],
  ['art', 'ltr'],
])('should write %s in the direction %s', (language, direction) => {
  expect(directionOf(language)).toBe(direction);
});

it('should fill a text', () => {
  expect(filled('{n} unread', 3)).toBe('3 unread');
});
