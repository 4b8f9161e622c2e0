import { z } from 'zod';
import { ExtensionPoint } from './extension-point.js';
import { PluginError } from './plugin-error.js';

/** Where an editor offers a type of step. */
export const STEP_GROUPS = ['message', 'control', 'action', 'plugin'] as const;
export type StepGroup = (typeof STEP_GROUPS)[number];

/** A sentence about a step. The first one counts whose `when` holds and whose placeholders all have a value. */
export interface SummaryLine {
  /** With placeholders, such as `Waits {metadata.amount} {metadata.unit}.` */
  readonly text: string;
  /** Values that the step must have, by their paths: `{ 'metadata.type': 'scheduled' }`. */
  readonly when?: Readonly<Record<string, string | number | boolean>>;
}

type Json = Readonly<Record<string, unknown>>;

/** A step as it is sent or stored. */
export interface DeclaredStep {
  readonly template: Json;
  readonly metadata: Json;
  readonly variants?: readonly { readonly name?: unknown }[];
}

/** Adds a fault, as the end of a sentence that begins with its path. */
type Report = (message: string, ...path: readonly (string | number)[]) => void;

/** What an event must bring for a step. */
export interface NeededValues {
  /** Texts with expressions. */
  readonly texts?: readonly unknown[];
  /** Paths of values in the payload. */
  readonly paths?: readonly (string | null | undefined)[];
  /** Paths of dates in the payload, without which a trigger is refused. */
  readonly dates?: readonly (string | null | undefined)[];
}

/** A member of a template that is written in another language. */
export interface CompiledPart {
  readonly member: string;
  readonly as: 'MJML' | 'JSON Schema';
}

/** What ends a step early, in words. */
export interface EndInWords {
  readonly title: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** A text of the trail, and the status that its entries have. */
export interface TrailText {
  readonly text: string;
  readonly status: 'Success' | 'Warning' | 'Failed' | 'Pending';
}

/** Everything that Herald knows of a type of step besides how it is carried out. */
export interface StepTypeDeclaration {
  /** `type` of the template of such steps, such as `create-ticket`. */
  readonly type: string;
  /** Name for people. Default: the type in words. */
  readonly label?: string;
  /** One sentence about what such a step does. */
  readonly description?: string;
  /** Default: `plugin`. */
  readonly group?: StepGroup;
  readonly summary?: readonly SummaryLine[];
  /** Where lists show it within its group. Default: at the end. */
  readonly place?: number;
  /** Whether variants can replace the content of the step. */
  readonly canHaveVariants?: boolean;
  /** Members of the template besides `type`. Texts are templates. */
  readonly template?: z.ZodRawShape;
  /** Instead of `template`: schema of `template.input`. Texts with expressions are checked after they are rendered. */
  readonly input?: z.ZodType;
  /** Reports faults of the template, which has been checked member by member. */
  readonly checkTemplate?: (template: Json, report: Report) => void;
  readonly metadata?: {
    /** What it holds. */
    readonly members: z.ZodRawShape;
    /** What it may hold that nobody is asked for. */
    readonly accepted?: z.ZodRawShape;
    /** Checks it as a whole. Default: each member is checked, and none is needed. */
    readonly check?: z.ZodType;
  };
  /** Parts of the template that are compiled when it is stored. */
  readonly compiles?: (template: Json) => readonly CompiledPart[];
  /** Why a step could only fail, beginning with the member of the template: `content must not be empty`. */
  readonly runFault?: (template: Json) => string | undefined;
  readonly needs?: (step: DeclaredStep) => NeededValues;
  /** Names of the arms that such a step chooses among, of which one is the `arm` that it hands on. Later steps can stand in one. */
  readonly arms?: (step: DeclaredStep) => readonly unknown[];
  /** The address of the subscriber that its messages go to. */
  readonly address?: 'email' | 'phone';
  /** Where such steps wait for their turn, if they call others. Default: with all that use only the store. */
  readonly lane?: 'email' | 'sms' | 'chat' | 'push' | 'http' | 'plugin';
  /** Each run asks the store for itself, so that runs do it at the same time. */
  readonly asksStore?: true;
  /** Its steps do nothing but wait, which stores the run. */
  readonly onlyWaits?: true;
  /** Later steps have the events that it has collected. */
  readonly collects?: true;
  /** Its entries in the trail name the provider from the beginning. */
  readonly namesProvider?: true;
  /** Whether a step waits for what becomes of messages. */
  readonly awaitsMessages?: (metadata: Json) => boolean;
  /** What a dry run shows of such steps besides, by the member of its answer. The handler notes it in the witness of its task. */
  readonly foreseen?: Readonly<Record<string, z.ZodType>>;
  /** Reasons for which its steps end, which `why` and the dry run explain. */
  readonly reasons?: Readonly<Record<string, EndInWords>>;
  /** Texts of its entries in the trail. */
  readonly trail?: Readonly<Record<string, TrailText>>;
}

/** Types that workflows of the compatible system may have. They are stored, and the trail says that they are not carried out. */
export const STORED_TYPES: readonly string[] = ['custom', 'trigger'];

const LAST_PLACE = 100;

/** All types of steps. Herald's own are declared by the classes that carry them out, those of plugins when plugins are loaded. */
export class StepTypes extends ExtensionPoint<StepTypeDeclaration> {
  private readonly own = new Map<string, StepTypeDeclaration>();
  /** It grows, so that lists which were made from it before stay complete. */
  private readonly list: string[] = [...STORED_TYPES];
  private texts: ReadonlyMap<string, TrailText> | undefined;

  /** All types, those that are only stored last. */
  get names(): readonly string[] {
    return this.list;
  }

  /** Those that are carried out. */
  get run(): readonly string[] {
    return this.list.filter((type) => !STORED_TYPES.includes(type));
  }

  override add(plugin: string, type: string, declaration: StepTypeDeclaration): void {
    if (this.own.has(type) || STORED_TYPES.includes(type)) throw ownType(plugin, type);
    super.add(plugin, type, declaration);
    this.enter(type);
  }

  /** @throws {PluginError} if a plugin has added the type @throws {Error} if another class has declared it */
  addOwn(declaration: StepTypeDeclaration): void {
    const { type } = declaration;
    const known = this.own.get(type);
    if (known === declaration) return;
    if (known !== undefined) throw new Error(`Two declarations are of the step type '${type}'. Rename one of them.`);
    const plugin = this.pluginOf(type);
    if (plugin !== undefined) throw ownType(plugin, type);
    this.isRead = true;
    this.own.set(type, declaration);
    this.enter(type);
  }

  override get(type: unknown): StepTypeDeclaration | undefined {
    return typeof type === 'string' ? (this.own.get(type) ?? super.get(type)) : undefined;
  }

  /** The words of all types for the trail, by their texts. */
  get trail(): ReadonlyMap<string, TrailText> {
    this.texts ??= new Map(
      this.declarations.flatMap(({ trail = {} }) => Object.values(trail).map((one) => [one.text, one] as const)),
    );
    return this.texts;
  }

  /** In the order of `names`. */
  get declarations(): readonly StepTypeDeclaration[] {
    return this.list.flatMap((type) => this.get(type) ?? []);
  }

  private enter(type: string): void {
    this.texts = undefined;
    this.list.push(type);
    this.list.sort((one, other) => this.placeOf(one) - this.placeOf(other) || (one < other ? -1 : 1));
  }

  private placeOf(type: string): number {
    const declaration = this.get(type);
    if (declaration === undefined) return STEP_GROUPS.length * LAST_PLACE;
    const { group = 'plugin', place = LAST_PLACE - 1 } = declaration;
    return STEP_GROUPS.indexOf(group) * LAST_PLACE + place;
  }
}

function ownType(plugin: string, type: string): PluginError {
  return new PluginError(plugin, `Herald has a step type '${type}' of its own. Rename that of the plugin.`);
}

export const STEP_TYPES = new StepTypes('step type');

const inputs = new WeakMap<StepTypeDeclaration, z.ZodType>();

/** What a step of a type is checked with once its texts are rendered: `template.input`, or the members of the template. */
export function inputSchemaOf(declaration: StepTypeDeclaration): z.ZodType {
  const known = declaration.input ?? inputs.get(declaration);
  if (known !== undefined) return known;
  const made = z.object(declaration.template ?? {});
  inputs.set(declaration, made);
  return made;
}

/** What is made of all types, and made anew only where another one has been added since. */
export function ofAllTypes<T>(make: (declarations: readonly StepTypeDeclaration[]) => T): () => T {
  let made: { readonly types: number; readonly value: T } | undefined;
  return () => {
    const types = STEP_TYPES.names.length;
    if (made?.types !== types) made = { types, value: make(STEP_TYPES.declarations) };
    return made.value;
  };
}
