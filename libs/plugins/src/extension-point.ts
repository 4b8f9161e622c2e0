import { PluginError } from './plugin-error.js';

interface Addition<T> {
  readonly plugin: string;
  readonly value: T;
}

/** Names of one kind, to which plugins add theirs. */
export class ExtensionPoint<T> {
  private readonly additions = new Map<string, Addition<T>>();
  protected isRead = false;

  /** @param kind what a name stands for, as error texts say it: `template helper` */
  constructor(private readonly kind: string) {}

  /** @throws {PluginError} if another plugin has added the name, or the names were read already */
  add(plugin: string, name: string, value: T): void {
    const earlier = this.additions.get(name);
    if (earlier !== undefined) {
      throw new PluginError(
        plugin,
        `the plugin '${earlier.plugin}' brings the ${this.kind} '${name}' as well. Remove one of the two, or rename it.`,
      );
    }
    if (this.isRead) {
      throw new PluginError(plugin, `it was registered after the application was loaded. Enter it in HERALD_PLUGINS.`);
    }
    this.additions.set(name, { plugin, value });
  }

  /**
   * The names of Herald followed by those of plugins. No more can be added afterwards.
   * @throws {PluginError} if a plugin has added a name of Herald's own
   */
  after<const O extends readonly string[]>(own: O): O {
    this.isRead = true;
    for (const [name, { plugin }] of this.additions) {
      if (own.includes(name)) {
        throw new PluginError(plugin, `Herald has a ${this.kind} '${name}' of its own. Rename that of the plugin.`);
      }
    }
    // The type stays that of the built-in names, which the code decides about; those of plugins are opaque to it.
    return [...own, ...this.additions.keys()] as unknown as O;
  }

  get(name: string): T | undefined {
    return this.additions.get(name)?.value;
  }

  pluginOf(name: string): string | undefined {
    return this.additions.get(name)?.plugin;
  }

  entries(): readonly (readonly [name: string, value: T])[] {
    return [...this.additions].map(([name, { value }]) => [name, value] as const);
  }
}
