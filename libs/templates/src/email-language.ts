import { escapeHtml } from './html-safety.js';
import { type Direction, directionOf } from './locales.js';
import { type Dictionary, NO_LOCALE } from './translate.js';

export interface Language {
  readonly lang: string;
  readonly dir: Direction;
}

/** Undefined where nothing was translated: the language is that of the template, and only its author knows it. */
export function languageOf(dictionary: Dictionary | undefined): Language | undefined {
  if (dictionary === undefined || dictionary.locale === NO_LOCALE) return undefined;
  return { lang: dictionary.locale, dir: directionOf(dictionary.locale) };
}

/**
 * Says the language and its direction on `html` and `body`, because some clients drop the former; replaces what a layout says,
 * which is made for one language. A fragment gets an element around it.
 */
export function withLanguage(html: string, language: Language | undefined): string {
  if (language === undefined) return html;
  const attributes = ` lang="${escapeHtml(language.lang)}" dir="${language.dir}"`;
  const [root, body] = [startTag(html, 'html'), startTag(html, 'body')];
  if (root === undefined && body === undefined) return `<div${attributes}>${html}</div>`;
  // From the back, so that places stay right.
  return [body, root].reduce((text, tag) => (tag === undefined ? text : withAttributes(text, tag, attributes)), html);
}

interface Tag {
  readonly start: number;
  readonly end: number;
}

const HTML = /<html(?=[\s>/])/i;
const BODY = /<body(?=[\s>/])/i;
const OWN = /\s(?:lang|dir)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]*)/gi;

function startTag(html: string, name: 'html' | 'body'): Tag | undefined {
  const found = (name === 'html' ? HTML : BODY).exec(html);
  const end = found ? endOfTag(html, found.index) : 0;
  return found && end > 0 ? { start: found.index, end } : undefined;
}

function withAttributes(html: string, { start, end }: Tag, attributes: string): string {
  const tag = html.slice(start, end).replace(OWN, '');
  const named = tag.slice(0, 5);
  return html.slice(0, start) + named + attributes + tag.slice(5) + html.slice(end);
}

/** After the `>` of the tag that begins there, or 0. Skips quoted attributes. */
export function endOfTag(html: string, start: number): number {
  let quote = '';
  for (let position = start; position < html.length; position += 1) {
    const character = html.charAt(position);
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return position + 1;
  }
  return 0;
}
