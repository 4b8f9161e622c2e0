import { PluginError } from './plugin-error.js';
import { StepTypes } from './step-types.js';

describe('StepTypes', () => {
  it('should list messages first, plugins behind them, and last what is only stored', () => {
    const types = new StepTypes('step type');
    const { names } = types;
    types.add('a', 'create-ticket', { type: 'create-ticket' });
    types.addOwn({ type: 'wait', group: 'control', place: 2 });
    types.addOwn({ type: 'pause', group: 'control', place: 1 });
    types.addOwn({ type: 'mail', group: 'message' });
    expect(names).toEqual(['mail', 'pause', 'wait', 'create-ticket', 'custom', 'trigger']);
    expect(types.run).toEqual(['mail', 'pause', 'wait', 'create-ticket']);
    expect([types.pluginOf('create-ticket'), types.pluginOf('mail')]).toEqual(['a', undefined]);
  });

  it('should refuse a second declaration of a type, and take the same one again', () => {
    const types = new StepTypes('step type');
    const mail = { type: 'mail' };
    types.addOwn(mail);
    types.addOwn(mail);
    expect(types.names).toHaveLength(3);
    expect(() => types.addOwn({ type: 'mail' })).toThrow("Two declarations are of the step type 'mail'");
  });

  it("should refuse a type of a plugin that is Herald's own, whichever comes first", () => {
    const own = "Herald has a step type 'mail' of its own. Rename that of the plugin.";
    const late = new StepTypes('step type');
    late.addOwn({ type: 'mail' });
    expect(() => late.add('a', 'mail', { type: 'mail' })).toThrow(own);
    const early = new StepTypes('step type');
    early.add('a', 'mail', { type: 'mail' });
    expect(() => early.addOwn({ type: 'mail' })).toThrow(PluginError);
    expect(() => early.addOwn({ type: 'mail' })).toThrow(own);
    expect(() => early.add('a', 'custom', { type: 'custom' })).toThrow('of its own');
  });

  it('should take no type of a plugin once the application is loaded', () => {
    const types = new StepTypes('step type');
    types.addOwn({ type: 'mail' });
    expect(() => types.add('a', 'fax', { type: 'fax' })).toThrow('it was registered after the application was loaded');
  });
});
