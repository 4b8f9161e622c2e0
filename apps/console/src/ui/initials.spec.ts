import { colorOf, initialsOf } from './initials.js';

describe('initialsOf', () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['Amazon SES', 'AS'],
    ['twilio', 'Tw'],
    ["Africa's Talking", 'As'],
    ['émile zola', 'Éz'],
    ['王小明', '王小'],
    ['user-42', 'U4'],
    ['46elks', '46'],
    ['🙂', '?'],
    ['', '?'],
  ])('should stand for %s', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('colorOf', () => {
  it('should be the same for the same name, and use every color', () => {
    const names = Array.from({ length: 200 }, (_, at) => `name ${at}`);
    expect(names.map((name) => colorOf(name, 5))).toEqual(names.map((name) => colorOf(name, 5)));
    expect(new Set(names.map((name) => colorOf(name, 5))).size).toBe(5);
  });
});
