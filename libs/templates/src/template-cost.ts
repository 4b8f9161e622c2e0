/** What a template may need, before its data is known. */
export interface TemplateCost {
  expressions: number;
  /** Calls of `t` among them. */
  translations: number;
  /** Of loops in each other. */
  depth: number;
  characters: number;
}

/** Longer sources are not parsed on the event loop. */
export const MAX_CHEAP_SOURCE = 20_000;
