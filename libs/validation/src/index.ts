export { canonicalZone } from './canonical-zone.js';
export {
  custom,
  dataPath,
  dependent,
  faultsOf,
  flag,
  isForbiddenSegment,
  isGiven,
  isObject,
  list,
  type ListLimits,
  object,
  oneOf,
  type RawObject,
  type Report,
  reportFaults,
  rule,
  text,
  unchecked,
  type WithoutNull,
} from './declare.js';
export {
  described,
  type Description,
  documentAs,
  type Members,
  membersOf,
  named,
  OF_PLUGIN,
  open,
  openApiComponents,
  openApiOf,
  type OpenApiSchema,
  shownAs,
} from './document.js';
export { type Form, formSchemaOf, inForm } from './form.js';
export { withoutNulls } from './without-nulls.js';
