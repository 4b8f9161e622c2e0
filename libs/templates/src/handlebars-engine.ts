import Handlebars from 'handlebars';
import { HELPERS, synchronous } from '#libs/plugins';
import {
  EMIT_HELPER,
  ENTER_HELPER,
  guardProgram,
  MARK_HELPER,
  T_HTML_HELPER,
  T_MARKED_HELPER,
} from './guard-program.js';
import { createHelpers, type HelperSettings, type ValueHelper } from './helpers.js';
import type { Compiled } from './language.js';
import { type Escaping, marked } from './marked-values.js';
import { DEFAULT_LIMITS, RenderBudget, type RenderLimits } from './render-budget.js';
import { EACH_HELPER, registerScopes, SECTION_HELPER, SELF_HELPER, WITH_HELPER } from './scopes.js';
import { parseStored } from './syntax.js';
import { TemplateError } from './template-error.js';
import { toText } from './to-text.js';
import { callsT, T_HELPER, translate, type Wording } from './translate.js';

/** Used by guards, Handlebars and other helpers (`unless`). */
const ALWAYS_REGISTERED = [
  ...[EMIT_HELPER, MARK_HELPER, ENTER_HELPER, EACH_HELPER, WITH_HELPER, SECTION_HELPER, SELF_HELPER],
  ...['helperMissing', 'blockHelperMissing', 'each', 'if'],
];

/** Isolated, with Herald's helpers and guards. */
export class HandlebarsEngine {
  private readonly handlebars = Handlebars.create();
  /** Passed only to templates that may name them: Handlebars wraps all known helpers for each rendering. */
  private readonly optional: Record<string, Handlebars.HelperDelegate>;
  /** One is enough, because rendering is synchronous. */
  private budget = new RenderBudget(DEFAULT_LIMITS);
  private wording: Wording | undefined;

  constructor(settings: HelperSettings) {
    this.handlebars.unregisterHelper('log');
    for (const [name, helper] of [...Object.entries(createHelpers(settings)), ...helpersOfPlugins()]) {
      this.handlebars.registerHelper(name, this.adapt(helper));
    }
    const { escapeExpression } = this.handlebars;
    this.handlebars.registerHelper(
      T_HELPER,
      this.adapt(([key], hash) => translate(this.wording, key, hash)),
    );
    this.handlebars.registerHelper(
      T_HTML_HELPER,
      this.adapt(([key], hash) => translate(this.wording, key, hash, escapeExpression)),
    );
    this.handlebars.registerHelper(
      T_MARKED_HELPER,
      this.adapt(([key], hash) => translate(this.wording, key, hash, marked)),
    );
    this.handlebars.registerHelper(EMIT_HELPER, (value: unknown) => this.emitted(value));
    this.handlebars.registerHelper(MARK_HELPER, (value: unknown) => marked(this.emitted(value)));
    this.handlebars.registerHelper(ENTER_HELPER, (length: number) => {
      this.budget.enterBlock(length);
      return '';
    });
    registerScopes(this.handlebars);
    this.optional = { ...this.handlebars.helpers };
    for (const name of ALWAYS_REGISTERED) delete this.optional[name];
    for (const name of Object.keys(this.optional)) this.handlebars.unregisterHelper(name);
  }

  private emitted(value: unknown): string {
    const text = toText(value);
    this.budget.spend(text.length);
    return text;
  }

  /** As HTML, escapes `&`, `<`, `>`, `"`, `` ` `` and `=` of values, but not apostrophes; triple braces do not escape. */
  compile(source: string, escaping: Escaping): Compiled {
    const escape = escaping === 'html';
    const template = this.handlebars.compile(guardProgram(parseStored(source), escaping), { noEscape: !escape });
    const options = {
      allowProtoPropertiesByDefault: false,
      allowProtoMethodsByDefault: false,
      helpers: Object.fromEntries(Object.entries(this.optional).filter(([name]) => mayCall(source, name))),
    };
    return (context, limits, wording) => {
      const output = this.run(() => template(context, options), limits, wording);
      return escape ? output.replaceAll('&#x27;', "'") : output;
    };
  }

  private run(render: () => string, limits: RenderLimits, wording: Wording | undefined): string {
    this.budget = new RenderBudget(limits);
    this.wording = wording;
    try {
      return render();
    } catch (error) {
      throw error instanceof TemplateError ? error : describe(error);
    }
  }

  /** As expression, subexpression and, by its truth, block. */
  private adapt(helper: ValueHelper): Handlebars.HelperDelegate {
    const checkTime = (): void => this.budget.checkTime();
    return function (this: unknown, ...parameters: unknown[]): unknown {
      checkTime();
      const options = parameters.pop() as Handlebars.HelperOptions & { fn?: Handlebars.TemplateDelegate };
      const value = helper(parameters, options.hash as Record<string, unknown>);
      if (options.fn === undefined) return value;
      return value ? options.fn(this) : options.inverse(this);
    };
  }
}

const TRANSLATING = [T_HELPER, T_HTML_HELPER, T_MARKED_HELPER];

/** Every text has the letter of `t`, and a payload may have a value of this name. */
function mayCall(source: string, name: string): boolean {
  return TRANSLATING.includes(name) ? callsT(source) : source.includes(name);
}

function helpersOfPlugins(): (readonly [name: string, helper: ValueHelper])[] {
  return HELPERS.entries().map(([name, helper]) => [name, reporting(name, helper)] as const);
}

/** The trail names the failing helper. */
function reporting(name: string, helper: ValueHelper): ValueHelper {
  return (args, hash) => {
    try {
      return synchronous(helper(args, hash));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new TemplateError(`the helper "${name}" failed: ${message}`);
    }
  };
}

/** Handlebars' messages reveal internals. */
function describe(error: unknown): TemplateError {
  const message = error instanceof Error ? error.message : '';
  const name = /^#(\w+) requires exactly one argument/.exec(message)?.[1];
  if (name !== undefined) return new TemplateError(`"${name}" needs exactly one argument`);
  if (message.startsWith('Must pass iterator')) return new TemplateError('"each" needs a list or an object');
  if (error instanceof RangeError) return new TemplateError('the template needs too much memory');
  return new TemplateError('the template cannot be rendered with this data');
}
