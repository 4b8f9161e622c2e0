import { effectiveOverride, givenSwitches, overrideChange } from './effective-override.js';

const ALL_ON = { email: true, sms: true, in_app: true, chat: true, push: true };

describe('effectiveOverride', () => {
  it.each<[boolean | undefined, boolean, boolean]>([
    [undefined, true, true],
    [undefined, false, false],
    [true, false, true],
    [false, true, false],
  ])('should be %p over a workflow that is %p: %p', (active, workflow, expected) => {
    const override = active === undefined ? {} : { active };
    expect(effectiveOverride(override, { active: workflow, preferenceSettings: ALL_ON }).active).toBe(expected);
  });

  it('should lay its switches over those of the workflow', () => {
    const workflow = { active: true, preferenceSettings: { ...ALL_ON, sms: false, chat: false } };
    expect(effectiveOverride({ preferenceSettings: { sms: true, push: false } }, workflow).preferenceSettings).toEqual({
      ...ALL_ON,
      chat: false,
      push: false,
    });
  });

  it('should switch off what has no workflow any more', () => {
    expect(effectiveOverride({})).toEqual({ active: false, preferenceSettings: ALL_ON });
  });
});

describe('givenSwitches', () => {
  it('should leave out what is null or absent', () => {
    expect(givenSwitches({ email: false, sms: null, push: true })).toEqual({ email: false, push: true });
  });
});

describe('overrideChange', () => {
  it.each([
    [{}, {}],
    [{ active: false }, { $set: { active: false } }],
    [{ active: null }, { $unset: { active: 1 } }],
    [{ preferenceSettings: null }, { $unset: { preferenceSettings: 1 } }],
    [
      { active: true, preferenceSettings: { email: false, sms: null } },
      { $set: { active: true, 'preferenceSettings.email': false }, $unset: { 'preferenceSettings.sms': 1 } },
    ],
  ])('should turn %j into %j', (dto, change) => {
    expect(overrideChange(dto)).toEqual(change);
  });
});
