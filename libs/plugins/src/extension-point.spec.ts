import { ExtensionPoint } from './extension-point.js';
import { PluginError } from './plugin-error.js';

describe('ExtensionPoint', () => {
  it('should put the names of plugins after those of Herald, in the order in which they were added', () => {
    const point = new ExtensionPoint<number>('color');
    point.add('a', 'red', 1);
    point.add('b', 'blue', 2);
    expect(point.after(['green'])).toEqual(['green', 'red', 'blue']);
    expect(point.get('blue')).toBe(2);
    expect(point.pluginOf('blue')).toBe('b');
    expect(point.entries()).toEqual([
      ['red', 1],
      ['blue', 2],
    ]);
  });

  it('should name both plugins that add the same name', () => {
    const point = new ExtensionPoint<number>('color');
    point.add('a', 'red', 1);
    expect(() => point.add('b', 'red', 2)).toThrow(PluginError);
    expect(() => point.add('b', 'red', 2)).toThrow("the plugin 'a' brings the color 'red' as well");
  });

  it("should refuse a name of Herald's own", () => {
    const point = new ExtensionPoint<number>('color');
    point.add('a', 'red', 1);
    expect(() => point.after(['red'])).toThrow("The plugin 'a' cannot be loaded: Herald has a color 'red' of its own");
  });

  it('should take nothing after its names were read', () => {
    const point = new ExtensionPoint<number>('color');
    point.after([]);
    expect(() => point.add('a', 'red', 1)).toThrow('it was registered after the application was loaded');
  });
});
