/** Render threads load this file, so it imports nothing heavy. */
export const CONTENT_TYPES = ['editor', 'customHtml', 'mjml'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Absent: handlebars. */
export const TEMPLATE_LANGUAGES = ['handlebars', 'liquid'] as const;
export type TemplateLanguage = (typeof TEMPLATE_LANGUAGES)[number];

/** Where those pictures of a mail are that Herald keeps. Absent: linked. */
export const PICTURE_PLACES = ['linked', 'inline'] as const;
export type PicturePlace = (typeof PICTURE_PLACES)[number];

/** Blocks that stand in columns as well. */
export const INNER_BLOCK_TYPES = [
  'text',
  'button',
  'heading',
  'image',
  'divider',
  'footer',
  'product',
  'social',
] as const;
export const BLOCK_TYPES = [...INNER_BLOCK_TYPES, 'columns'] as const;
export const TEXT_ALIGNS = ['left', 'center', 'right'] as const;
export const BUTTON_TYPES = ['primary', 'secondary'] as const;
export const CTA_TYPES = ['redirect'] as const;
export const ACTOR_TYPES = ['none', 'user', 'system_icon', 'system_custom'] as const;
export const SYSTEM_ICONS = ['warning', 'info', 'error', 'success', 'up', 'question'] as const;
export type SystemIcon = (typeof SYSTEM_ICONS)[number];

export const VARIABLE_TYPES = ['String', 'Array', 'Boolean'] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

export interface FoundVariable {
  name: string;
  type: VariableType;
}
