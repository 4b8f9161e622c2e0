import { z } from 'zod';

type Values<S extends z.ZodRawShape> = { readonly [K in keyof S]: z.output<S[K]> };

/** Settings of a plugin: environment variables with schemas of texts. */
export class PluginSettings<S extends z.ZodRawShape = z.ZodRawShape> {
  private values: Values<S> | undefined;

  constructor(private readonly shape: S) {}

  /** Names of the environment variables. */
  get names(): readonly string[] {
    return Object.keys(this.shape);
  }

  /** The validated value. @throws when the module of the plugin is being loaded: Herald reads settings afterwards */
  get<K extends keyof S & string>(name: K): Values<S>[K] {
    if (this.values === undefined)
      throw new Error(`The setting ${name} can be read once Herald has loaded the plugin.`);
    return this.values[name];
  }

  /** Called by Herald. @returns faults, each beginning with the name of its setting */
  read(texts: Readonly<Record<string, string | undefined>>): string[] {
    const parsed = z.object(this.shape).safeParse(texts);
    if (parsed.success) this.values = parsed.data as Values<S>;
    return (parsed.error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
  }
}

/**
 * Declares settings of a plugin by their names in the environment.
 * @example
 * const settings = defineSettings({ TICKETS_URL: z.url() });
 * settings.get('TICKETS_URL'); // in services and steps
 */
export function defineSettings<S extends z.ZodRawShape>(shape: S): PluginSettings<S> {
  return new PluginSettings(shape);
}
