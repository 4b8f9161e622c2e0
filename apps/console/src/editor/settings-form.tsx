import type { VNode } from 'preact';
import { typeLabel } from '../activity/words.js';
import type { Schemas } from '../api/client.js';
import { SelectField, TextField } from '../ui/fields.js';
import type { Draft } from '../drafts/draft.js';
import { Check, LiveField } from './live-fields.js';
import { SendWindowFields } from './send-window-fields.js';
import { TrackingChoice } from './tracking-choice.js';

interface Props {
  readonly draft: Draft;
  readonly groups: readonly Schemas['NotificationGroupResponse'][];
  readonly onDraft: (draft: Draft, about: string) => void;
}

const CHANNELS = ['email', 'sms', 'in_app', 'push', 'chat'] as const;
const SEVERITIES = ['none', 'low', 'medium', 'high'] as const;

const OUTSIDE = [
  { value: 'skip', label: 'Messages are skipped' },
  { value: 'wait', label: 'Messages wait until they begin' },
];
const UNSUBSCRIBES = [
  { value: '', label: 'unless the workflow is critical' },
  { value: 'one-click', label: 'always' },
  { value: 'off', label: 'never' },
];

/** What concerns the workflow as a whole. */
export function SettingsForm({ draft, groups, onDraft }: Props): VNode {
  const set = (change: Partial<Draft>, about: string): void => onDraft({ ...draft, ...change }, about);
  return (
    <section class="form" aria-labelledby="settings-heading">
      <h2 id="settings-heading">Settings</h2>
      <LiveField label="Name" path="name" value={draft.name} onInput={(name) => set({ name }, 'name')} />
      <LiveField
        label="Trigger identifier"
        path="identifier"
        isCode
        value={draft.identifier}
        note="Your code triggers the workflow by it. Changing it breaks callers that use the former one."
        onInput={(identifier) => set({ identifier }, 'identifier')}
      />
      <LiveField
        label="Description"
        path="description"
        value={draft.description}
        onInput={(description) => set({ description }, 'description')}
      />
      <TextField
        label="Tags"
        path="tags"
        value={draft.tags.join(', ')}
        note="Separated by commas."
        onChange={(text) =>
          set({ tags: [...new Set(text.split(',').map((tag) => tag.trim()))].filter((tag) => tag !== '') }, 'tags')
        }
      />
      <div class="two-fields">
        <SelectField
          label="Group"
          path="notificationGroupId"
          value={draft.notificationGroupId}
          choices={groups.map(({ _id, name }) => ({ value: _id, label: name }))}
          onChange={(notificationGroupId) => set({ notificationGroupId }, 'group')}
        />
        <SelectField
          label="Severity"
          value={draft.severity}
          choices={SEVERITIES.map((value) => ({ value, label: value }))}
          onChange={(value) => set({ severity: value as Draft['severity'] }, 'severity')}
        />
      </div>
      <MissingChoices draft={draft} set={set} />
      <LanguageChoice draft={draft} set={set} />
      <SendingTimes draft={draft} set={set} />
      <UnsubscribeChoice draft={draft} set={set} />
      <TrackingChoice tracking={draft.tracking} onTracking={(tracking, about) => set({ tracking }, about)} />
      <PreferenceFields draft={draft} set={set} />
    </section>
  );
}

/** What becomes of messages that cannot be as they should. */
function MissingChoices({ draft, set }: PreferenceProps): VNode {
  return (
    <>
      <SelectField
        label="If a subscriber has no address for a channel"
        value={draft.missingAddress}
        choices={[
          { value: 'skip', label: 'skip the step' },
          { value: 'fail', label: 'the notification fails and can be replayed' },
        ]}
        onChange={(value) => set({ missingAddress: value as Draft['missingAddress'] }, 'missingAddress')}
      />
      <SelectField
        label="If the event lacks a value that a message shows"
        value={draft.missingValues}
        choices={[
          { value: 'send', label: 'leave its place empty' },
          { value: 'stop', label: 'do not send the message' },
        ]}
        onChange={(value) => set({ missingValues: value as Draft['missingValues'] }, 'missingValues')}
      />
    </>
  );
}

function UnsubscribeChoice({ draft, set }: PreferenceProps): VNode {
  return (
    <SelectField
      label="Unsubscribe links of mails"
      value={draft.unsubscribe ?? ''}
      choices={UNSUBSCRIBES}
      onChange={(value) =>
        set({ unsubscribe: value === '' ? undefined : (value as Draft['unsubscribe']) }, 'unsubscribe')
      }
    />
  );
}

function LanguageChoice({ draft, set }: PreferenceProps): VNode {
  return (
    <SelectField
      label="Language of templates"
      path="templateLanguage"
      value={draft.templateLanguage}
      choices={[
        { value: 'handlebars', label: 'Handlebars' },
        { value: 'liquid', label: 'Liquid' },
      ]}
      onChange={(value) => set({ templateLanguage: value as Draft['templateLanguage'] }, 'templateLanguage')}
    />
  );
}

function SendingTimes({ draft, set }: PreferenceProps): VNode {
  return (
    <fieldset class="form">
      <legend>When messages are sent</legend>
      <SelectField
        label="Outside a subscriber's delivery hours"
        value={draft.outsideSchedule}
        choices={OUTSIDE}
        onChange={(value) => set({ outsideSchedule: value as Draft['outsideSchedule'] }, 'outsideSchedule')}
      />
      <SendWindowFields
        sendWindow={draft.sendWindow}
        onSendWindow={(sendWindow, about) => set({ sendWindow }, about)}
      />
      <p class="note">In-app messages pass, and so does everything of critical workflows. Steps can say otherwise.</p>
    </fieldset>
  );
}

interface PreferenceProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>, about: string) => void;
}

function PreferenceFields({ draft, set }: PreferenceProps): VNode {
  const { preferenceSettings } = draft;
  return (
    <fieldset class="form">
      <legend>Preferences</legend>
      <Check isOn={draft.critical} onChange={(critical) => set({ critical }, 'critical')}>
        Critical: subscribers cannot switch it off
      </Check>
      <Check isOn={draft.hidden} onChange={(hidden) => set({ hidden }, 'hidden')}>
        Hidden: not shown where subscribers choose what reaches them
      </Check>
      <p class="note">Channels that are on unless a subscriber decides otherwise:</p>
      <div class="check-line">
        {CHANNELS.map((channel) => (
          <Check
            key={channel}
            isOn={preferenceSettings[channel]}
            onChange={(isOn) => set({ preferenceSettings: { ...preferenceSettings, [channel]: isOn } }, channel)}
          >
            {typeLabel(channel)}
          </Check>
        ))}
      </div>
    </fieldset>
  );
}
