import type { Fields } from '#libs/http-kit';
import { CONDITION_KEYS, METADATA_KEYS, TIMED_KEYS } from './build-steps.js';

const named = (keys: readonly string[]): Fields => Object.fromEntries(keys.map((key) => [key, true]));

/** What a variant may have. Templates keep keys of the client's own; `type` is shown by the compatible system. */
const VARIANT_FIELDS: Fields = {
  uuid: true,
  stepId: true,
  name: true,
  type: true,
  active: true,
  shouldStopOnFail: true,
  template: true,
  filters: { isNegated: true, type: true, value: true, children: named(CONDITION_KEYS) },
  metadata: { ...named(METADATA_KEYS), timed: named(TIMED_KEYS) },
  replyCallback: { active: true, url: true },
};

/** What a step may have. */
export const STEP_FIELDS: Fields = { ...VARIANT_FIELDS, variants: VARIANT_FIELDS };
