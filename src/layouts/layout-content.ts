import { parseTemplate } from '#libs/templates';

const BODY = /\{\{\{\s*body\s*\}\}\}/;

/** Lists the faults of a layout's content, each beginning with its path. */
export function validateLayoutContent(content: unknown, path: string): string[] {
  if (typeof content !== 'string') return [`${path} must be a string`];
  if (!BODY.test(content)) return [`${path} must contain {{{body}}} where the body of the message goes`];
  const parsed = parseTemplate(content);
  return parsed.ok ? [] : [`${path} is not a valid template: ${parsed.message}`];
}
