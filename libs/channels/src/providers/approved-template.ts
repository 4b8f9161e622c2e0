import { asText } from './email/email-fields.js';
import { at } from '../declarative/json-path.js';

/** A template of messages that the network has approved, in the same words for all providers: `overrides.<provider>.template`. */
export interface ApprovedTemplate {
  readonly name: string;
  readonly language: string;
  /** By their names, which are `1`, `2` and so on where they have none. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Whether the caller gave names. */
  readonly isNamed: boolean;
}

/** @returns undefined for anything else, such as a template in the provider's own words, which is passed on as it is */
export function approvedTemplate(customData: Readonly<Record<string, unknown>> = {}): ApprovedTemplate | undefined {
  const template = customData['template'];
  const [name, language = 'en', parameters = []] = ['name', 'language', 'parameters'].map((key) => at(template, key));
  if (typeof name !== 'string' || typeof language !== 'string' || at(template, 'components') !== undefined)
    return undefined;
  if (typeof parameters !== 'object' || parameters === null) return undefined;
  const values = Array.isArray(parameters)
    ? parameters.map((value: unknown, place) => [String(place + 1), asText(value)] as const)
    : Object.entries(parameters).map(([key, value]: [string, unknown]) => [key, asText(value)] as const);
  return { name, language, parameters: values, isNamed: !Array.isArray(parameters) };
}
