/** Herald cannot start with this plugin; the message names it and says what to do. */
export class PluginError extends Error {
  constructor(plugin: string, problem: string, options?: ErrorOptions) {
    super(`The plugin '${plugin}' cannot be loaded: ${problem}`, options);
    this.name = 'PluginError';
  }
}
