import { setTranslation } from '../factories/translation.factory.js';
import { codeOf, dataOf, faultsOf, type Json } from '../support/answers.js';
import { useSession, useHerald } from '../support/herald.js';

const api = useHerald();
const session = useSession(api);

const list = (of = session): Promise<Json[]> => dataOf(of.get('/v1/translations'), 200);
const defaults = async (): Promise<unknown[]> =>
  (await list()).filter(({ isDefault }) => isDefault).map(({ locale }) => locale);

describe('/v1/translations', () => {
  it('should create a locale, replace it, and show it', async () => {
    const created = await setTranslation(session, 'de_at', { 'order.sent': 'Unterwegs', cart: { items: '{n} Stück' } });
    expect(created).toMatchObject({
      locale: 'de-AT',
      isDefault: true,
      direction: 'ltr',
      keyCount: 2,
      messages: { 'order.sent': 'Unterwegs', 'cart.items': '{n} Stück' },
    });
    await setTranslation(session, 'de-AT', { z: '1', a: '2' });
    const shown = await dataOf<Json>(session.get('/v1/translations/de-at'), 200);
    expect(Object.keys(shown['messages'] as Json)).toEqual(['z', 'a']);
    expect(await list()).toEqual([expect.not.objectContaining({ messages: expect.anything() as unknown })]);
  });

  it('should have one default: the first locale, until another is asked to be it', async () => {
    await setTranslation(session, 'en', { a: 'a' });
    await setTranslation(session, 'ar', { a: 'a' });
    expect(await defaults()).toEqual(['en']);
    await setTranslation(session, 'ar', { a: 'b' }, { isDefault: true });
    expect(await defaults()).toEqual(['ar']);
    await setTranslation(session, 'ar', { a: 'c' });
    expect(await defaults()).toEqual(['ar']);
    expect(await codeOf(session.delete('/v1/translations/ar'), 409)).toBe('default_locale_required');
    await session.delete('/v1/translations/en').expect(204);
    await session.delete('/v1/translations/ar').expect(204);
    expect(await codeOf(session.delete('/v1/translations/ar'), 404)).toBe('translation_not_found');
    expect(await list()).toEqual([]);
  });

  it('should agree on one default where locales are created at once', async () => {
    await Promise.all(['en', 'de', 'fr', 'es'].map((locale) => setTranslation(session, locale, { a: locale })));
    expect(await defaults()).toHaveLength(1);
    expect(await list()).toHaveLength(4);
  });

  it('should change some messages, and lose none of changes at once', async () => {
    await setTranslation(session, 'en', { a: '1', b: '2', c: '3' });
    const change = (messages: Json) => session.patch('/v1/translations/en', { messages });
    const answers = await Promise.all([change({ a: 'one' }), change({ b: null }), change({ d: '4' })]);
    // Who came in between too often is told to come again.
    for (const [at, { status }] of answers.entries()) {
      if (status === 409) await change([{ a: 'one' }, { b: null }, { d: '4' }][at] ?? {}).expect(200);
    }
    const { messages } = await dataOf<Json>(session.get('/v1/translations/en'), 200);
    expect(messages).toEqual({ a: 'one', c: '3', d: '4' });
    expect(await codeOf(session.patch('/v1/translations/fr', { messages: {} }), 404)).toBe('translation_not_found');
  });

  it('should keep environments apart', async () => {
    const [one, other] = await api.siblings();
    await setTranslation(one, 'en', { a: '1' });
    expect(await list(other)).toEqual([]);
    expect(await codeOf(other.get('/v1/translations/en'), 404)).toBe('translation_not_found');
  });

  it.each([
    [{ a: '{name' }, /^messages\.a is not an ICU message: .*\(line 1, column \d+\)$/],
    [{ a: '{n, plural, one {x}}' }, /missing other clause/],
    [{ a: '{n, number, nonsense}' }, /unknown number style 'nonsense'/],
    [{ a: 'x'.repeat(5_001) }, /at most 5000 characters/],
    [{ a: 1 }, /^messages\.a must be a text/],
    [{ a: { b: [] } }, /^messages\.a\.b must be a text/],
    [{ 'a.b': 'x', a: { b: 'y' } }, /^messages\.a\.b is there twice/],
    [{ [' a']: 'x' }, /without spaces around it/],
    [{ ['k'.repeat(201)]: 'x' }, /more than 200 characters/],
    [Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`k${n}`, 'x'])), /at most 2000 keys/],
    [Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, 'x'.repeat(3_000)])), /at most 256 kB/],
    ['text', /messages must be an object/],
  ])('should refuse %j', async (messages, fault) => {
    const faults = await faultsOf(session.put('/v1/translations/en', { messages }));
    expect(faults.join('\n')).toMatch(fault);
  });

  it('should refuse what is no locale, and more than 50', async () => {
    expect(await codeOf(session.put('/v1/translations/x', { messages: {} }), 400)).toBe('invalid_locale');
    for (let number = 0; number < 50; number += 1) {
      await setTranslation(session, `en-x-${String(number).padStart(3, '0')}`, {});
    }
    expect(await codeOf(session.put('/v1/translations/fr', { messages: {} }), 409)).toBe('too_many_locales');
  });
});
