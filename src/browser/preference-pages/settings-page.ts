import type { Channel } from '#libs/channels';
import type { WorkflowPreferenceResponse } from '../../content/preferences/index.js';
import { type Page, type PageBranding, pageTemplate } from './page-frame.js';
import type { PageLanguage, PageTexts } from './page-texts.js';
import {
  categoriesOf,
  channelsOf,
  dayName,
  isOn,
  languageName,
  localesFor,
  type RecipientSettings,
  toFormSchedule,
  usedChannels,
  WEEK,
  zonesFor,
} from './settings-view.js';

/** Names of the fields, which `settings-form.ts` reads. */
export const FIELDS = {
  channel: 'channel',
  workflow: (id: string) => `workflow.${id}`,
  was: (name: string) => `was.${name}`,
  categoryOff: 'category',
  schedule: 'schedule',
  day: (day: string) => `day.${day}`,
  start: (day: string) => `start.${day}`,
  end: (day: string) => `end.${day}`,
  locale: 'locale',
  timezone: 'timezone',
} as const;

/** In place of a category: all that is not always sent. */
export const NOT_IMPORTANT = 'rest';

interface Choice {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly isOn: boolean;
}
interface Row {
  readonly name: string;
  readonly choices: readonly Choice[];
  readonly isFixed: boolean;
  readonly wasName: string;
  readonly was: string;
}
interface PageValues {
  readonly t: PageTexts;
  readonly isSaved: boolean;
  readonly channels: readonly Choice[];
  readonly channelsWas: string;
  readonly categories: readonly {
    readonly key: string;
    readonly title: string;
    readonly description: string;
    readonly index: number;
    readonly hasChoices: boolean;
    readonly rows: readonly Row[];
  }[];
  readonly hasCategories: boolean;
  /** There is something important, and something else. */
  readonly canReduce: boolean;
  readonly isScheduled: boolean;
  readonly scheduleWas: string;
  readonly days: readonly {
    readonly day: string;
    readonly name: string;
    readonly isOn: boolean;
    readonly ranges: readonly { readonly start: string; readonly end: string }[];
  }[];
  readonly locales: readonly Choice[];
  readonly localeWas: string;
  readonly zones: readonly Choice[];
  readonly zoneWas: string;
}

const CHOICES = `<div class="choices">{{#each choices}}<label><input type="checkbox" name="{{name}}" value="{{value}}"{{#if isOn}} checked{{/if}}>{{label}}</label>{{/each}}</div>`;

/** Browsers press the first button of a form when Enter is pressed in a field: it saves, and switches nothing off. */
const ENTER = '<button class="enter" tabindex="-1" aria-hidden="true">{{t.save}}</button>';

const settingsPage = pageTemplate<PageValues>(`<h1>{{t.title}}</h1>
<p>{{t.intro}}</p>
{{#if isSaved}}<p class="notice" role="status">{{t.saved}}</p>{{/if}}
<form method="post" autocomplete="off">
${ENTER}
{{#if channels}}<h2 id="channels">{{t.channels}}</h2>
<p class="hint" id="channels-hint">{{t.channelsHint}}</p>
<div role="group" aria-labelledby="channels" aria-describedby="channels-hint" class="choices">{{#each channels}}<label><input type="checkbox" name="{{name}}" value="{{value}}"{{#if isOn}} checked{{/if}}>{{label}}</label>{{/each}}</div>
<input type="hidden" name="was.channel" value="{{channelsWas}}">
<div class="head"><h2 id="topics">{{t.topics}}</h2>{{#if canReduce}}<button class="quiet" name="category" value="${NOT_IMPORTANT}" aria-describedby="topics">{{t.onlyImportant}}</button>{{/if}}</div>
{{#each categories}}{{#if ../hasCategories}}<div class="head"><h3 id="category-{{index}}">{{title}}</h3>{{#if hasChoices}}<button class="quiet" name="category" value="{{key}}" aria-describedby="category-{{index}}">{{../t.categoryOff}}</button>{{/if}}</div>
{{#if description}}<p class="hint">{{description}}</p>
{{/if}}{{/if}}{{#each rows}}<fieldset><legend>{{name}}</legend>
{{#if isFixed}}<p class="hint choices">{{../../t.always}}</p>{{else}}${CHOICES}<input type="hidden" name="{{wasName}}" value="{{was}}">{{/if}}</fieldset>
{{/each}}{{/each}}
{{/if}}<h2 id="hours">{{t.hours}}</h2>
<p class="hint" id="hours-hint">{{t.hoursHint}}</p>
<div role="group" aria-labelledby="hours" aria-describedby="hours-hint">
<p><label><input type="checkbox" name="schedule" value="on"{{#if isScheduled}} checked{{/if}}>{{t.hoursSwitch}}</label></p>
<input type="hidden" name="was.schedule" value="{{scheduleWas}}">
{{#each days}}<div class="day"><label><input type="checkbox" name="day.{{day}}" value="on"{{#if isOn}} checked{{/if}}>{{name}}</label>
<div>{{#each ranges}}<div class="range"><label>{{../../t.from}} <input type="time" name="start.{{../day}}" value="{{start}}" aria-label="{{../name}}, {{../../t.from}}"></label><label>{{../../t.to}} <input type="time" name="end.{{../day}}" value="{{end}}" aria-label="{{../name}}, {{../../t.to}}"></label></div>{{/each}}</div></div>
{{/each}}</div>
<div class="fields actions">
<label>{{t.language}}<select name="locale">{{#each locales}}<option value="{{value}}"{{#if isOn}} selected{{/if}}>{{label}}</option>{{/each}}</select></label><input type="hidden" name="was.locale" value="{{localeWas}}">
<label>{{t.timezone}}<select name="timezone">{{#each zones}}<option value="{{value}}"{{#if isOn}} selected{{/if}}>{{label}}</option>{{/each}}</select></label><input type="hidden" name="was.timezone" value="{{zoneWas}}">
</div>
<p class="actions"><button>{{t.save}}</button></p>
</form>`);

/** What the page showed of one row, so that saving changes only what the recipient changed. */
function shownState(channels: readonly Channel[], isChannelOn: (channel: Channel) => boolean): string {
  return channels.map((channel) => `${channel}:${isChannelOn(channel) ? '1' : '0'}`).join(',');
}

export function renderSettings(
  settings: RecipientSettings,
  language: PageLanguage,
  branding: PageBranding,
  isSaved: boolean,
): Page {
  const { texts: t } = language;
  const { locale, timezone, workflows, schedule } = settings;
  const used = usedChannels(workflows);
  const categories = categoriesOf(workflows);
  const form = toFormSchedule(schedule);
  const body = settingsPage({
    t,
    isSaved,
    channels: used.map((channel) => choiceOf(FIELDS.channel, channel, t, settings.channels[channel])),
    channelsWas: shownState(used, (channel) => settings.channels[channel]),
    categories: categories.map(({ key, title, description, workflows: members }, index) => ({
      key,
      title: title ?? t.other,
      description: description ?? '',
      index,
      hasChoices: members.some(({ template }) => !template.critical),
      rows: members.map((one) => rowOf(one, t)),
    })),
    hasCategories: categories.length > 1 || categories[0]?.title !== undefined,
    canReduce: new Set(workflows.map(({ template }) => template.critical)).size > 1,
    isScheduled: form.isEnabled,
    scheduleWas: JSON.stringify(form),
    days: WEEK.map((day) => ({
      day,
      name: dayName(day, language),
      isOn: form.days[day].isEnabled,
      ranges: form.days[day].ranges,
    })),
    locales: optionsOf(localesFor(locale), locale, t, languageName),
    localeWas: locale ?? '',
    zones: optionsOf(zonesFor(timezone), timezone, t, (zone) => zone.replaceAll('_', ' ')),
    zoneWas: timezone ?? '',
  });
  return { status: 200, language, branding, title: t.title, body };
}

function choiceOf(name: string, channel: Channel, t: PageTexts, on: boolean): Choice {
  return { name, value: channel, label: t[channel], isOn: on };
}

function rowOf(workflow: WorkflowPreferenceResponse, t: PageTexts): Row {
  const { _id, name, critical } = workflow.template;
  const field = FIELDS.workflow(_id);
  const channels = channelsOf(workflow);
  return {
    name,
    choices: channels.map((channel) => choiceOf(field, channel, t, isOn(workflow, channel))),
    isFixed: critical,
    wasName: FIELDS.was(field),
    was: shownState(channels, (channel) => isOn(workflow, channel)),
  };
}

function optionsOf(
  values: readonly string[],
  own: string | undefined,
  t: PageTexts,
  label: (value: string) => string,
): Choice[] {
  const options = values.map((value) => ({ name: '', value, label: label(value), isOn: value === own }));
  return own === undefined ? [{ name: '', value: '', label: t.notSet, isOn: true }, ...options] : options;
}
