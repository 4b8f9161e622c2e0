import { languageOf, missingValues } from './languages.js';
import { isTrue, valueAt } from './missing-values.js';
import { TemplateError } from './template-error.js';
import type { FoundVariable, TemplateLanguage } from './template.types.js';

type Data = Readonly<Record<string, unknown>>;

/** Of a block of a mail. */
export interface BlockScope {
  readonly each?: string | null;
  readonly showIf?: string | null;
}

/** A text and the blocks in which it stands, from the outermost one. */
export interface ScopedText {
  readonly source: string;
  readonly scopes?: readonly BlockScope[];
}

const ITEM = 'item';
const ITEM_PATH = /^item(?=\.|\[|$)/;
const MAX_ITEMS = 1_000;
/** Of each list, when values are looked for that are missing. */
const MAX_LOOKED_AT = 5;
/** Characters of all texts, each as often as it is repeated. */
const MAX_READ = 200_000;

/** The values of a block, for each time that it is shown. @throws {TemplateError} for a value that is no list */
export function blockValues({ each, showIf }: BlockScope, values: Data): Data[] {
  const all = typeof each === 'string' ? itemsAt(each, values).map((item) => ({ ...values, [ITEM]: item })) : [values];
  return typeof showIf === 'string' ? all.filter((one) => isTrue(valueAt(one, showIf))) : all;
}

function itemsAt(path: string, values: Data): readonly unknown[] {
  const list = valueAt(values, path) ?? [];
  if (!Array.isArray(list)) throw new TemplateError(`a block is repeated for each of '${path}', which is no list`);
  if (list.length > MAX_ITEMS)
    throw new TemplateError(`'${path}' has more than the ${MAX_ITEMS} elements that blocks can show`);
  return list;
}

/** What a payload needs for a text: for the elements of a list, the list. @throws {TemplateError} */
export function variablesOf(text: ScopedText, language?: TemplateLanguage | null): FoundVariable[] {
  return (text.scopes ?? []).reduceRight<FoundVariable[]>((found, { each, showIf }) => {
    const all = [...found, ...(typeof showIf === 'string' ? [variable(showIf, 'String')] : [])];
    if (typeof each !== 'string') return all;
    return [variable(each, 'Array'), ...all.filter(({ name }) => !ITEM_PATH.test(name))];
  }, languageOf(language).variables(text.source));
}

function variable(name: string, type: FoundVariable['type']): FoundVariable {
  return { name, type };
}

/** As {@link missingValues}, of texts that stand in blocks: `order.items[].price`. */
export function missingInBlocks(texts: readonly ScopedText[], values: Data, language?: TemplateLanguage): string[] {
  const plain = texts.filter(({ scopes = [] }) => scopes.length === 0).map(({ source }) => source);
  const scoped = texts.filter(({ scopes = [] }) => scopes.length > 0);
  let left = MAX_READ;
  const missing = (source: string, [scope, ...inner]: readonly BlockScope[], of: Data): string[] => {
    if (scope === undefined) {
      left -= source.length;
      return left < 0 ? [] : missingValues([source], of, language);
    }
    const { each } = scope;
    if (typeof each !== 'string') return blockValues(scope, of).flatMap((one) => missing(source, inner, one));
    const list = valueAt(of, each);
    if (list === undefined) return [each];
    const items = Array.isArray(list) ? list.slice(0, MAX_LOOKED_AT) : [];
    return items
      .flatMap((item: unknown) => blockValues({ showIf: scope.showIf }, { ...of, [ITEM]: item }))
      .flatMap((one) => missing(source, inner, one))
      .map((name) => name.replace(ITEM_PATH, `${each}[]`));
  };
  const names = scoped.flatMap(({ source, scopes = [] }) => missing(source, scopes, values));
  return [...new Set([...missingValues(plain, values, language), ...names])];
}
