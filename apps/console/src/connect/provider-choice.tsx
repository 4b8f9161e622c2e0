import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { typeLabel } from '../activity/words.js';
import { LiveField } from '../editor/live-fields.js';
import { ChannelGlyph } from '../ui/channel-glyph.js';
import { Monogram } from '../ui/monogram.js';
import { Empty } from '../ui/states.js';
import type { Provider } from './integration-form.js';

const CHANNELS = ['email', 'sms', 'push', 'chat'] as const;

/** The catalogue of providers that Herald can send through, by channel. */
export function ProviderChoice({ providers }: { providers: readonly Provider[] }): VNode {
  const [text, setText] = useState('');
  const found = providers.filter(
    ({ canSend, name, id }) => canSend && `${name} ${id}`.toLowerCase().includes(text.trim().toLowerCase()),
  );
  return (
    <>
      <search class="filters" aria-label="Filters">
        <LiveField label="Search" value={text} placeholder="Name of the provider" onInput={setText} />
      </search>
      {CHANNELS.map((channel) => {
        const ofChannel = found.filter((one) => one.channel === channel);
        if (ofChannel.length === 0) return null;
        return (
          <section key={channel} class="channel-section" aria-labelledby={`providers-${channel}`}>
            <h2 id={`providers-${channel}`}>
              <ChannelGlyph type={channel} /> {typeLabel(channel)}
            </h2>
            <ul class="provider-list">
              {ofChannel.map(({ id, name }) => (
                <li key={id}>
                  <Link class="button" href={`/integrations/new?channel=${channel}&provider=${id}`}>
                    <Monogram name={name} /> {name}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {found.length === 0 && <Empty title="No matching providers" />}
    </>
  );
}
