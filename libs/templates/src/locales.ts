/** Right to left, by language; where a tag has a script, the script decides. */
const RTL_LANGUAGES = new Set(['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']);
const RTL_SCRIPTS = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

const MAX_LENGTH = 35;

export type Direction = 'ltr' | 'rtl';

/** BCP 47, with underscores as well: `fr_CA` is `fr-CA`. Undefined for what is no locale. */
export function canonicalLocale(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  try {
    return Intl.getCanonicalLocales(text.trim().replaceAll('_', '-'))[0];
  } catch {
    return undefined;
  }
}

/** From the exact one to the language, as RFC 4647 looks locales up: `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function localeChain(locale: string): string[] {
  const parts = locale.split('-');
  const chain: string[] = [];
  for (let length = parts.length; length > 0; length -= 1) {
    // A single character begins an extension, which says nothing without what follows.
    if (parts[length - 1]?.length !== 1) chain.push(parts.slice(0, length).join('-'));
  }
  return chain;
}

export function directionOf(locale: string): Direction {
  const [language = '', second = ''] = locale.split('-');
  const isRtl = second.length === 4 ? RTL_SCRIPTS.has(second) : RTL_LANGUAGES.has(language);
  return isRtl ? 'rtl' : 'ltr';
}
