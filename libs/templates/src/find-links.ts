import { Parser } from 'htmlparser2';

/** An address, and where its attribute stands in the HTML. */
interface FoundLink {
  /** As browsers read it: without entities. */
  readonly url: string;
  /** Of the whole attribute. */
  readonly start: number;
  readonly end: number;
}

export interface FoundLinks {
  readonly links: readonly FoundLink[];
  readonly pictures: readonly FoundLink[];
  /** Where something that ends the content can stand: before `</body>`. */
  readonly contentEnd: number;
}

/** Further links and pictures are not looked for. */
const MAX_LINKS = 1_000;

/** With which senders keep Herald and their providers from following a link: by attribute, with the value that counts. */
const OPT_OUTS: Readonly<Record<string, RegExp>> = {
  'data-herald-track': /^(?:off|false)$/i,
  clicktracking: /^off$/i,
  'data-disable-tracking': /^(?:|true)$/i,
  'disable-tracking': /^(?:|true)$/i,
  'data-pm-no-track': /^/,
};

/**
 * Finds the links and pictures of a mail in one pass, without a tree. Leaves out what only some programs read,
 * conditional comments, and links inside of an element that opts out.
 */
export function findLinks(html: string): FoundLinks {
  const links: FoundLink[] = [];
  const pictures: FoundLink[] = [];
  let contentEnd = html.length;
  let href: FoundLink | undefined;
  let src: FoundLink | undefined;
  let isOptedOut = false;
  /** How many elements are open since the one that opted out. */
  let depth = 0;
  const parser = new Parser({
    onopentagname: () => {
      href = src = undefined;
      isOptedOut = false;
    },
    onattribute: (name, value) => {
      const found = { url: value, start: parser.startIndex, end: parser.endIndex };
      if (name === 'href') href ??= found;
      if (name === 'src') src ??= found;
      isOptedOut ||= Object.hasOwn(OPT_OUTS, name) && OPT_OUTS[name]?.test(value.trim()) === true;
    },
    onopentag: (name) => {
      if (name === 'img' && src && pictures.length < MAX_LINKS) pictures.push(src);
      if (depth > 0 || isOptedOut) depth += 1;
      else if ((name === 'a' || name === 'area') && href && links.length < MAX_LINKS) links.push(href);
    },
    onclosetag: (name, isImplied) => {
      if (depth > 0) depth -= 1;
      if (name === 'body' && !isImplied) contentEnd = parser.startIndex;
    },
  });
  parser.end(html);
  return { links, pictures, contentEnd };
}
