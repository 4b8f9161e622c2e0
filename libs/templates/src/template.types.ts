/** Render threads load this file, so it imports nothing heavy. */
import { STEP_TYPES } from '#libs/plugins';

/** The type names Herald's only; plugins add others. */
export const TEMPLATE_TYPES = STEP_TYPES.after([
  'in_app',
  'email',
  'sms',
  'chat',
  'push',
  'digest',
  'trigger',
  'delay',
  'throttle',
  'http_request',
  'wait_for_event',
  'custom',
]);
export type TemplateType = (typeof TEMPLATE_TYPES)[number];

export const CONTENT_TYPES = ['editor', 'customHtml', 'mjml'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

export const BLOCK_TYPES = ['text', 'button'] as const;
export const TEXT_ALIGNS = ['left', 'center', 'right'] as const;
export const BUTTON_TYPES = ['primary', 'secondary'] as const;
export const CTA_TYPES = ['redirect'] as const;
export const ACTOR_TYPES = ['none', 'user', 'system_icon', 'system_custom'] as const;
export const SYSTEM_ICONS = ['warning', 'info', 'error', 'success', 'up', 'question'] as const;

export const VARIABLE_TYPES = ['String', 'Array', 'Boolean'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export interface FoundVariable {
  name: string;
  type: VariableType;
}
