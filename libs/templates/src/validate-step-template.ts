import { checkOneOf, checkTemplateText, checkText, isGiven, isObject, type Faults, type RawObject } from './checks.js';
import { MAX_SOURCE_BYTES } from './syntax.js';
import {
  ACTOR_TYPES,
  BLOCK_TYPES,
  BUTTON_TYPES,
  CONTENT_TYPES,
  CTA_TYPES,
  SYSTEM_ICONS,
  TEMPLATE_TYPES,
  TEXT_ALIGNS,
  VARIABLE_TYPES,
} from './template.types.js';

const MAX_LINE = 2000;
const MAX_URL = 5000;
const MAX_NAME = 255;
const MAX_BLOCKS = 200;
const MAX_BUTTONS = 10;
const MAX_VARIABLES = 500;
const MAX_FAULTS = 100;
const OBJECT_ID = /^[0-9a-f]{24}$/i;
const VARIABLE_NAME_PATTERN = /^[^\s{}]+$/;
/** What a fault suggests: the compatible system has two more types, which are known and not run here. */
const RUN_TYPES = TEMPLATE_TYPES.filter((type) => type !== 'custom' && type !== 'trigger');
const FORBIDDEN_SEGMENTS = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Lists every fault of a step's template as sent by a client, each text beginning with the path of the faulty part.
 * `stepType` is the type that the template has to have, where another place (a variant's parent) already says so.
 * Absent optional parts may be `null` or `undefined`. Never throws, whatever it is given.
 */
export function validateStepTemplate(template: unknown, stepType: string | undefined, path: string): string[] {
  if (!isObject(template)) return [`${path} must be an object with the type and content of the step`];
  const faults: Faults = [];
  const isKnownType = TEMPLATE_TYPES.some((type) => type === template.type);
  if (!isKnownType) checkOneOf(template.type, RUN_TYPES, `${path}.type`, faults);
  if (isKnownType && stepType !== undefined && template.type !== stepType) {
    faults.push(`${path}.type must be ${stepType}`);
  }
  if (isGiven(template.contentType)) checkOneOf(template.contentType, CONTENT_TYPES, `${path}.contentType`, faults);
  checkContent(template, `${path}.content`, faults);
  for (const key of ['subject', 'title', 'preheader', 'senderName']) {
    checkTemplateText(template[key], MAX_LINE, `${path}.${key}`, faults);
  }
  checkText(template.name, MAX_NAME, `${path}.name`, faults);
  for (const key of ['feedId', 'layoutId']) checkId(template[key], `${path}.${key}`, faults);
  checkCta(template.cta, `${path}.cta`, faults);
  faults.push(...validateTemplateVariables(template.variables, `${path}.variables`));
  checkActor(template.actor, `${path}.actor`, faults);
  return faults.slice(0, MAX_FAULTS);
}

function checkContent({ type, content, contentType }: RawObject, path: string, faults: Faults): void {
  if (!isGiven(content)) return;
  if (typeof content === 'string') return checkTemplateText(content, MAX_SOURCE_BYTES, path, faults);
  if (!Array.isArray(content)) {
    faults.push(`${path} must be a string${type === 'email' ? ' or an array of blocks' : ''}`);
  } else if (type !== 'email') {
    faults.push(`${path} must be a string: only email steps have blocks`);
  } else if (contentType === 'customHtml') {
    faults.push(`${path} must be a string because contentType is customHtml`);
  } else if (content.length > MAX_BLOCKS) {
    faults.push(`${path} must contain at most ${MAX_BLOCKS} blocks`);
  } else if (lengthOf(content) > MAX_SOURCE_BYTES) {
    faults.push(`${path} must hold at most ${MAX_SOURCE_BYTES} characters in all its blocks`);
  } else {
    content.forEach((block: unknown, index) => checkBlock(block, `${path}.${index}`, faults));
  }
}

function lengthOf(blocks: readonly unknown[]): number {
  const lengths = blocks.map((block) =>
    isObject(block) && typeof block.content === 'string' ? block.content.length : 0,
  );
  return lengths.reduce((sum, length) => sum + length, 0);
}

function checkBlock(block: unknown, path: string, faults: Faults): void {
  if (!isObject(block)) {
    faults.push(`${path} must be an object`);
    return;
  }
  checkOneOf(block.type, BLOCK_TYPES, `${path}.type`, faults);
  if (typeof block.content !== 'string') faults.push(`${path}.content must be a string`);
  else checkTemplateText(block.content, MAX_SOURCE_BYTES, `${path}.content`, faults);
  checkTemplateText(block.url, MAX_URL, `${path}.url`, faults);
  if (!isGiven(block.styles)) return;
  if (!isObject(block.styles)) {
    faults.push(`${path}.styles must be an object`);
  } else if (isGiven(block.styles.textAlign)) {
    checkOneOf(block.styles.textAlign, TEXT_ALIGNS, `${path}.styles.textAlign`, faults);
  }
}

function checkCta(cta: unknown, path: string, faults: Faults): void {
  if (!isGiven(cta)) return;
  if (!isObject(cta)) {
    faults.push(`${path} must be an object`);
    return;
  }
  if (isGiven(cta.type)) checkOneOf(cta.type, CTA_TYPES, `${path}.type`, faults);
  checkLink(cta.data, `${path}.data`, faults);
  if (!isGiven(cta.action)) return;
  if (!isObject(cta.action)) {
    faults.push(`${path}.action must be an object with buttons`);
    return;
  }
  checkButtons(cta.action.buttons, `${path}.action.buttons`, faults);
}

function checkButtons(buttons: unknown, path: string, faults: Faults): void {
  if (!isGiven(buttons)) return;
  if (!Array.isArray(buttons) || buttons.length > MAX_BUTTONS) {
    faults.push(`${path} must be an array of at most ${MAX_BUTTONS} buttons`);
    return;
  }
  buttons.forEach((button: unknown, index) => {
    const buttonPath = `${path}.${index}`;
    if (!isObject(button)) {
      faults.push(`${buttonPath} must be an object`);
      return;
    }
    checkOneOf(button.type, BUTTON_TYPES, `${buttonPath}.type`, faults);
    if (typeof button.content !== 'string') faults.push(`${buttonPath}.content must be a string`);
    checkTemplateText(button.resultContent, MAX_LINE, `${buttonPath}.resultContent`, faults);
    if (typeof button.content === 'string') {
      checkTemplateText(button.content, MAX_LINE, `${buttonPath}.content`, faults);
    }
    checkLink(button, buttonPath, faults);
  });
}

function checkLink(link: unknown, path: string, faults: Faults): void {
  if (!isGiven(link)) return;
  if (!isObject(link)) {
    faults.push(`${path} must be an object`);
    return;
  }
  checkTemplateText(link.url, MAX_URL, `${path}.url`, faults);
  checkText(link.target, MAX_NAME, `${path}.target`, faults);
}

/** Lists the faults of the variables that a template or a layout declares. */
export function validateTemplateVariables(variables: unknown, path: string): string[] {
  if (!isGiven(variables)) return [];
  if (!Array.isArray(variables) || variables.length > MAX_VARIABLES) {
    return [`${path} must be an array of at most ${MAX_VARIABLES} variables`];
  }
  const faults: Faults = [];
  variables.forEach((variable: unknown, index) => checkVariable(variable, `${path}.${index}`, faults));
  return faults;
}

function checkVariable(variable: unknown, path: string, faults: Faults): void {
  if (!isObject(variable)) {
    faults.push(`${path} must be an object`);
    return;
  }
  const { name, type, required, defaultValue } = variable;
  if (typeof name !== 'string' || !VARIABLE_NAME_PATTERN.test(name) || name.length > MAX_NAME) {
    faults.push(`${path}.name must be a dotted path of at most ${MAX_NAME} characters, without blanks or braces`);
  } else if (name.split('.').some((segment) => FORBIDDEN_SEGMENTS.has(segment))) {
    faults.push(`${path}.name must not contain __proto__, constructor or prototype`);
  }
  checkOneOf(type, VARIABLE_TYPES, `${path}.type`, faults);
  if (isGiven(required) && typeof required !== 'boolean') faults.push(`${path}.required must be a boolean`);
  if (isGiven(defaultValue) && !isDefaultValue(defaultValue)) {
    faults.push(`${path}.defaultValue must be a string, number, boolean or array`);
  }
}

function isDefaultValue(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value);
}

function checkActor(actor: unknown, path: string, faults: Faults): void {
  if (!isGiven(actor)) return;
  if (!isObject(actor)) {
    faults.push(`${path} must be an object`);
    return;
  }
  if (!checkOneOf(actor.type, ACTOR_TYPES, `${path}.type`, faults)) return;
  if (actor.type === 'system_icon') checkOneOf(actor.data, SYSTEM_ICONS, `${path}.data`, faults);
  else checkText(actor.data, MAX_URL, `${path}.data`, faults);
}

function checkId(value: unknown, path: string, faults: Faults): void {
  if (!isGiven(value) || (typeof value === 'string' && OBJECT_ID.test(value))) return;
  faults.push(`${path} must be an id of 24 hexadecimal digits`);
}
