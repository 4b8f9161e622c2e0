import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf, type Schemas } from '../api/client.js';
import { type Failure, toFailure } from '../api/failure.js';
import { useQuery } from '../api/use-query.js';
import { useApi } from '../session.js';
import { Field } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { Failed, Loaded } from '../ui/states.js';
import { useToast } from '../ui/toasts.js';

type Branding = Schemas['UpdateBrandingDto'];
type Name = keyof Branding;

const FIELDS: readonly { readonly name: Name; readonly label: string; readonly placeholder: string }[] = [
  { name: 'logo', label: 'Logo (URL)', placeholder: 'https://example.com/logo.png' },
  { name: 'color', label: 'Color of buttons', placeholder: '#00509e' },
  { name: 'fontColor', label: 'Color of text', placeholder: '#1f2430' },
  { name: 'contentBackground', label: 'Color behind the content', placeholder: '#ffffff' },
  { name: 'fontFamily', label: 'Font', placeholder: 'Inter' },
];

/** The branding of the environment, which layouts, the plain frame and the preference page use. */
export function BrandingPanel(): VNode {
  const api = useApi();
  const query = useQuery('branding', (signal) => dataOf(api.GET('/v1/organizations/me', { signal })));
  return (
    <section class="panel below" aria-label="Branding">
      <h2>Branding</h2>
      <p class="note">
        Layouts read it as <code>branding.logo</code>, <code>branding.color</code> and so on. Pages for recipients use
        it as well.
      </p>
      <Loaded query={query}>
        {({ branding }) => (
          <BrandingForm key={JSON.stringify(branding)} stored={branding ?? {}} onSaved={query.reload} />
        )}
      </Loaded>
    </section>
  );
}

function BrandingForm({ stored, onSaved }: { stored: Partial<Branding>; onSaved: () => void }): VNode {
  const api = useApi();
  const toast = useToast();
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const save = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setFailure(undefined);
    try {
      const body = Object.fromEntries(FIELDS.map(({ name }) => [name, textIn(form, name) || null]));
      await dataOf(api.PUT('/v1/organizations/branding', { body }));
      toast('The branding is saved.');
      onSaved();
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <form class="form" onSubmit={(event) => void save(event)}>
      <div class="two-fields">
        {FIELDS.map(({ name, label, placeholder }) => (
          <Field key={name} label={label}>
            {(id) => (
              <input
                id={id}
                name={name}
                placeholder={placeholder}
                autocomplete="off"
                spellcheck={false}
                defaultValue={stored[name] ?? ''}
              />
            )}
          </Field>
        ))}
      </div>
      {failure && <Failed failure={failure} />}
      <div class="button-line">
        <ActionButton needs="updateBranding" type="submit" class="primary" disabled={isBusy}>
          Save branding
        </ActionButton>
      </div>
    </form>
  );
}
