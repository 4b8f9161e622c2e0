import { pathOf, placeOf, plainWords } from './plain-words.js';

describe('plainWords', () => {
  it.each([
    [
      'steps.3.filters.0.children.0.field must be a non-empty string',
      'Step 4, condition 1, field must be a non-empty string',
    ],
    ['steps.0.template.subject must not be empty', 'Step 1, subject must not be empty'],
    ['steps.1.metadata.amount must not be less than 1', 'Step 2, amount must not be less than 1'],
    ['steps.1.variants.0.template.content is required', 'Step 2, variant 1, content is required'],
    ['credentials.port must be a whole number', 'Port must be a whole number'],
    ['name must be shorter than or equal to 255 characters', 'Name must be shorter than or equal to 255 characters'],
    ['Neither steps.0.name nor steps.1.name is set.', 'Neither step 1, name nor step 2, name is set.'],
    ["There is no tenant 'acme'. Create it with POST /v1/tenants.", "There is no tenant 'acme'."],
    ['Create one with POST /v1/webhooks', 'Create one with the API'],
    ['Open <https://example.com/apps>, **Create**.', 'Open https://example.com/apps, Create.'],
    ['See [Catching messages](../manual/catcher.md) and `herald dev`.', 'See Catching messages and herald dev.'],
    ['Port of the server, as a string', 'Port of the server'],
    ['The variable order.number is missing.', 'The variable order.number is missing.'],
  ])('should tell people %s', (text, plain) => {
    expect(plainWords(text)).toBe(plain);
  });

  it('should show times as the browser does', () => {
    const plain = plainWords('Once between 2026-11-27T22:12:03.432Z and 2026-11-28T23:12:03.432Z.');
    expect(plain).toMatch(/^Once between \d\d? Nov 2026, \d\d:\d\d:\d\d and \d\d? Nov 2026, \d\d:\d\d:\d\d\.$/);
  });
});

describe('pathOf', () => {
  it('should find what a text is about', () => {
    expect(pathOf('steps.3.filters.0.children.0.field must be a string')).toBe('steps.3.filters.0.children.0.field');
    expect(pathOf('This needs more')).toBeUndefined();
  });
});

describe('placeOf', () => {
  it('should count as people do', () => {
    expect(placeOf('steps.2.template.blocks.0.url')).toBe('step 3, block 1, url');
    expect(placeOf('to.0.email')).toBe('to 1, email');
  });
});
