import type { RunTemplate } from '../records/workflow-version.js';

/** One text of a template that is rendered. */
export interface TemplatePart {
  /** `content` for each block, and `cta` for everything about links and buttons. */
  readonly part: 'subject' | 'preheader' | 'senderName' | 'title' | 'content' | 'cta';
  /** Where it is in the template, such as `content.0.url`. */
  readonly path: string;
  readonly source: string;
}

/** All runs of a version share its templates. */
const known = new WeakMap<RunTemplate, TemplatePart[]>();

export function partsOf(template: RunTemplate): readonly TemplatePart[] {
  const parts = known.get(template) ?? readParts(template);
  known.set(template, parts);
  return parts;
}

type Found = Omit<TemplatePart, 'source'> & { readonly source: unknown };

function readParts({ content, subject, title, preheader, senderName, cta }: RunTemplate): TemplatePart[] {
  const all: Found[] = [
    { part: 'subject', path: 'subject', source: subject },
    { part: 'preheader', path: 'preheader', source: preheader },
    { part: 'senderName', path: 'senderName', source: senderName },
    { part: 'title', path: 'title', source: title },
    ...contentParts(content),
    ...ctaParts(cta),
  ];
  return all.filter((one): one is TemplatePart => typeof one.source === 'string');
}

function contentParts(content: RunTemplate['content']): Found[] {
  if (!Array.isArray(content)) return [{ part: 'content', path: 'content', source: content }];
  return content.flatMap((block, place): Found[] => [
    { part: 'content', path: `content.${place}.content`, source: block.content },
    { part: 'content', path: `content.${place}.url`, source: block.url },
  ]);
}

interface Link {
  readonly url?: unknown;
}

function ctaParts(cta: RunTemplate['cta']): Found[] {
  const { data, action } = (cta ?? {}) as { data?: Link; action?: { buttons?: (Link & { content?: unknown })[] } };
  return [
    { part: 'cta', path: 'cta.data.url', source: data?.url },
    ...(action?.buttons ?? []).flatMap(({ content, url }, place): Found[] => [
      { part: 'cta', path: `cta.action.buttons.${place}.content`, source: content },
      { part: 'cta', path: `cta.action.buttons.${place}.url`, source: url },
    ]),
  ];
}
