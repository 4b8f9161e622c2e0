import type { ProviderDeclaration } from '#libs/channels';
import { parseForeignJson } from '#libs/common';
import { parseTemplate, visitTexts } from '#libs/templates';
import type { IntegrationCredentials } from './credentials.js';

/** JSON stays JSON: the texts in it are rendered one by one, so that no value breaks it. */
export function templateOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return parseForeignJson(value);
  } catch {
    return value;
  }
}

/** No text of a fault repeats a value. */
export function templateFaults(
  { credentials: fields }: Pick<ProviderDeclaration, 'credentials'>,
  credentials: IntegrationCredentials,
): string[] {
  const faults: string[] = [];
  for (const { key } of fields.filter(({ template }) => template === true)) {
    visitTexts(templateOf(credentials[key]), ['credentials', key], (text, path) => {
      const result = parseTemplate(text);
      if (!result.ok) faults.push(`${path.join('.')} is not a valid template: ${result.message}`);
    });
  }
  return faults;
}
