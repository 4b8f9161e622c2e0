import type { HelperSettings } from './helpers.js';
import type { Escaping } from './marked-values.js';
import type { RenderLimits } from './render-budget.js';
import type { TemplateCost } from './template-cost.js';
import type { FoundVariable } from './template.types.js';
import type { Wording } from './translate.js';

type Data = Readonly<Record<string, unknown>>;

/** Runs one template. @throws {TemplateError} and nothing else */
export type Compiled = (context: Data, limits: RenderLimits, wording: Wording | undefined) => string;

export interface Place {
  readonly start: number;
  readonly end: number;
}

/**
 * What a language of templates is: all that Herald does with a template is one of these. Errors name the line and what to do, and are
 * {@link TemplateError}s.
 */
export interface Language {
  /** Names, values and signs of all expressions: reading takes as long. @throws for what would take too long */
  readonly size: (source: string) => number;
  /** @throws for what could not be stored */
  readonly read: (source: string) => void;
  /** As `read`, but for limits of size, which are newer than some templates. */
  readonly check: (source: string) => void;
  /** In order of appearance, as payloads have them. @throws */
  readonly variables: (source: string) => FoundVariable[];
  /** Values that the template shows and the data lacks. Of unreadable and very large templates, none. */
  readonly missing: (sources: readonly string[], data: Data) => string[];
  /** Undefined if it is not known, or the source is too long to be read on the event loop. @throws */
  readonly cost: (source: string) => TemplateCost | undefined;
  /** Expressions, which are not text. */
  readonly places: (source: string) => Iterable<Place>;
  /** What a payload is in templates. */
  readonly roots: (payload: Data) => Data;
  /** For a thread, or a process: compiles with helpers of its own. */
  readonly engine: (settings: HelperSettings) => (source: string, escaping: Escaping) => Compiled;
}
