import { z } from 'zod';
import { inputSchemaOf, ofAllTypes, STEP_TYPES, type StepTypeDeclaration } from '#libs/plugins';
import {
  checkText,
  commonMembers,
  contentMembers,
  hasExpression,
  identifierReference,
  linkFault,
  judgeTemplate,
  recordReferences,
  renderedFields,
  visitTexts,
} from '#libs/templates';
import {
  dependent,
  described,
  isObject,
  named,
  object,
  oneOf,
  open,
  openApiOf,
  type RawObject,
  type Report,
  rule,
  shownAs,
} from '#libs/validation';
import { documentedStepInput } from './step-input-document.js';

/** Known only after all types are declared, so it is made when it is needed. */
const typeOfStep = dependent(
  z.string(),
  ofAllTypes(() => oneOf(STEP_TYPES.names as [string, ...string[]], STEP_TYPES.run)),
);

const noRecordId = (instead: string) => z.undefined({ error: `must be absent: use ${instead}` }).optional();
const byIdentifier = {
  feed: identifierReference,
  layout: identifierReference,
  feedId: noRecordId('feed'),
  layoutId: noRecordId('layout'),
};

/** How templates refer to records: in the API by id, in files by identifier. */
const IDENTIFIERS = {
  feedId: {
    feed: described(identifierReference, {
      description: 'Identifier of the feed that the message belongs to. Default: none.',
      example: 'Activities',
    }),
  },
  layoutId: {
    layout: described(identifierReference, {
      description: 'Identifier of the layout. Default: none.',
      example: 'company',
    }),
  },
};

export function typeFault(sent: unknown, stepType: string): string | undefined {
  const type = isObject(sent) ? STEP_TYPES.names.find((known) => known === sent['type']) : undefined;
  return type === undefined || type === stepType ? undefined : `must be ${stepType}`;
}

function checkTemplate(template: RawObject, report: Report): void {
  const { type, input } = template;
  const declaration = STEP_TYPES.get(type);
  if (declaration?.input !== undefined) checkStepInput(declaration.input, input, report);
  for (const field of renderedFields(type, template)) {
    const fault = linkFault(field);
    if (fault !== undefined) report(fault, field.path);
  }
  if (declaration?.checkTemplate !== undefined) return declaration.checkTemplate(template, report);
  // All members of messages are checked in every template.
  if (declaration?.template !== undefined && declaration.group !== 'message') {
    const own = Object.entries(template).filter(([name]) => declaration.template?.[name] !== undefined);
    checkRendered(inputSchemaOf(declaration), Object.fromEntries(own), report);
  }
  checkText(template, report);
}

/** `create-ticket` and `create_ticket` become `CreateTicket`. */
function dtoNameOf(type: string): string {
  return type.replaceAll(/(?:^|[-_])([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** The members of templates of a type, as the document shows them. */
function membersOf({ type, template = {}, input, group }: StepTypeDeclaration, isPortable: boolean): z.ZodRawShape {
  const own = Object.entries(template).map(([name, member]): z.ZodRawShape => {
    const isReference = name === 'feedId' || name === 'layoutId';
    return isPortable && isReference ? IDENTIFIERS[name] : { [name]: member };
  });
  const isRendered = group === 'message' || input !== undefined;
  return Object.assign(
    {},
    ...own,
    input === undefined ? {} : { input: documentedStepInput(type, input) },
    isRendered ? commonMembers : {},
  ) as z.ZodRawShape;
}

/** A template for each type, told apart by `type`. */
function documentedByType(kind: string, isPortable: boolean): () => z.ZodType {
  return ofAllTypes((declarations): z.ZodType => {
    const documents = declarations.map((declaration) => {
      const { type } = declaration;
      const shape = { type: described(z.literal(type), { description: 'Type of the step.' }) };
      const members = { ...shape, ...membersOf(declaration, isPortable) };
      return [type, named(`${dtoNameOf(type)}${kind}`, open(object(members)))] as const;
    });
    const mapping = Object.fromEntries(documents.map(([type, document]) => [type, openApiOf(document).$ref]));
    return z.union(documents.map(([, one]) => one)).meta({ discriminator: { propertyName: 'type', mapping } });
  });
}

const wrongTemplate = 'must be an object with the type and content of the step';

function checkedTemplate<T extends z.ZodRawShape>(references: T) {
  return rule(open(object({ type: typeOfStep, ...contentMembers, ...references }, wrongTemplate)), checkTemplate);
}

/** As clients send it. Other members are stored as sent. */
export const stepTemplate = shownAs(checkedTemplate(recordReferences), documentedByType('TemplateDto', false));
export type StepTemplate = z.infer<typeof stepTemplate>;

/** With feed and layout by identifier. */
export const portableTemplate = shownAs(checkedTemplate(byIdentifier), documentedByType('TemplateDefinitionDto', true));

/** What a type takes as `input`. */
function checkStepInput(schema: z.ZodType, input: unknown, report: Report): void {
  if (input === undefined) return report('is required: what the step needs, as an object', 'input');
  checkRendered(schema, input, (message, ...path) => report(message, 'input', ...path));
}

/** A text with an expression has no value before the step runs, so it only has to be a valid template. */
function checkRendered(schema: z.ZodType, input: unknown, report: Report): void {
  const computed = new Set<string>();
  visitTexts(input, [], (text, path) => {
    if (!hasExpression(text)) return;
    computed.add(path.join('.'));
    const result = judgeTemplate(text);
    if (!result.ok) report(`is not a valid template: ${result.message}`, ...path);
  });
  for (const { message, path } of schema.safeParse(input).error?.issues ?? []) {
    const own = path.map((key) => (typeof key === 'symbol' ? String(key) : key));
    if (!computed.has(own.join('.'))) report(message, ...own);
  }
}
