import type { FoundLinks } from './find-links.js';
import type { PackedContext } from './packed-context.js';
import type { EmailInput, RenderedEmail } from './render-email.js';
import type { TextSource } from './rendered-fields.js';
import type { TemplateLanguage } from './template.types.js';

/** For another thread. */
export interface PackedWording {
  readonly dictionary: PackedContext;
  readonly timeZone: string;
}

export type RenderTask =
  | {
      readonly kind: 'texts';
      readonly sources: readonly TextSource[];
      readonly context: PackedContext;
      readonly wording?: PackedWording;
      readonly language?: TemplateLanguage;
    }
  /** JSON texts. */
  | { readonly kind: 'schema'; readonly schema: string; readonly value: string }
  | { readonly kind: 'mjml'; readonly source: string; readonly language: TemplateLanguage }
  | { readonly kind: 'links'; readonly html: string }
  | {
      readonly kind: 'email';
      readonly input: Omit<EmailInput, 'context' | 'wording'>;
      readonly context: PackedContext;
      readonly wording?: PackedWording;
    };

export interface RenderResult {
  readonly texts?: string[];
  readonly email?: RenderedEmail;
  readonly fault?: string;
  readonly links?: FoundLinks;
  /** Keys without a translation. */
  readonly missing?: readonly string[];
}
