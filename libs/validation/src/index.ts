export { canonicalZone } from './canonical-zone.js';
export { isForbiddenSegment, isGiven, isObject, type RawObject, type WithoutNull } from './checks.js';
export {
  custom,
  dataPath,
  dependent,
  faultsOf,
  flag,
  list,
  type ListLimits,
  object,
  oneOf,
  type Report,
  reportFaults,
  rule,
  text,
  unchecked,
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
