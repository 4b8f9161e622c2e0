import type { TemplateVariable } from './template-words.js';
import { missingVariables, withVariableDefaults } from './variable-defaults.js';

function required(
  name: string,
  type: TemplateVariable['type'],
  defaultValue?: TemplateVariable['defaultValue'],
): TemplateVariable {
  return { name, type, required: true, defaultValue };
}

describe('missingVariables', () => {
  describe('when variables are required', () => {
    it.each<[TemplateVariable, Record<string, unknown>, string[]]>([
      [required('a', 'String'), {}, ['a (Value)']],
      [required('a', 'String'), { a: '' }, []],
      [required('a', 'String'), { a: 0 }, []],
      [required('a', 'String'), { a: null }, ['a (Value)']],
      [required('a', 'String'), { a: {} }, ['a (Value)']],
      [required('a.b', 'Array'), { a: { b: 'x' } }, ['a.b (Array)']],
      [required('a.b', 'Array'), { a: { b: [] } }, []],
      [required('a', 'Boolean'), { a: 'true' }, ['a (Boolean)']],
      [required('a', 'Boolean'), { a: false }, []],
      [required('a', 'String', 'x'), {}, []],
      [required('a', 'String', ''), {}, ['a (Value)']],
      [required('subscriber.name', 'String'), {}, []],
      [{ name: 'a', type: 'String' }, {}, []],
      [required('constructor.name', 'String'), {}, ['constructor.name (Value)']],
    ])('should judge %j in %j', (variable, data, missing) => {
      expect(missingVariables([variable], data)).toEqual(missing);
    });
  });
});

describe('withVariableDefaults', () => {
  describe('when variables have defaults', () => {
    it('should fill in what is absent, at any depth, and leave the data alone', () => {
      const data = { user: { name: 'Ada' }, text: 'plain', none: null };
      const variables = [
        required('user.city', 'String', 'Kiel'),
        required('user.name', 'String', 'unused'),
        required('deep.er.flag', 'Boolean', false),
        required('text.inner', 'String', 'dropped'),
        required('none', 'String', 'unused'),
        required('empty', 'String', ''),
        required('__proto__.polluted', 'String', 'yes'),
      ];
      expect(withVariableDefaults(variables, data)).toEqual({
        user: { name: 'Ada', city: 'Kiel' },
        text: 'plain',
        none: null,
        deep: { er: { flag: false } },
      });
      expect(data).toEqual({ user: { name: 'Ada' }, text: 'plain', none: null });
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  });
});
