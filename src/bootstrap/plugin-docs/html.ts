/** Text that is already HTML. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = string | number | Html | readonly Html[];

/**
 * Escapes values unless they are HTML. Characters beyond ASCII must be in a value: in the joined program, only plain
 * texts have them escaped.
 */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.reduce((before, text, at) => `${before}${markup(parts[at - 1] ?? '')}${text}`));
}

export function joined(parts: readonly Html[], separator = ''): Html {
  return new Html(parts.map(({ text }) => text).join(separator));
}

/** For HTML made by this file only. */
export function plainText({ text }: Html): string {
  const characters: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&amp;': '&' };
  return text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|amp);/g, (entity) => characters[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
}

function markup(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return joined(part).text;
  return String(part)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
