import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { Status } from '../ui/status.js';
import { useToast } from '../ui/toasts.js';
import { type Catcher, caughtChannels } from './catcher-words.js';

interface Props {
  readonly catcher: Catcher;
  readonly onSwitched: () => void;
}

/** Whether anything is sent, and the button that changes it. */
export function CatcherSwitch({ catcher, onSwitched }: Props): VNode {
  const api = useApi();
  const announce = useToast();
  const [isBusy, setBusy] = useState(false);
  const caught = caughtChannels(catcher);
  const turn = async (isOn: boolean): Promise<void> => {
    setBusy(true);
    try {
      await dataOf(api.PUT('/v1/catcher', { body: { isOn } }));
      announce(isOn ? 'Everything is caught. Nothing is sent.' : 'Messages are sent again.');
      onSwitched();
    } catch (error) {
      announce(toFailure(error).texts.join(' '), 'bad');
    }
    setBusy(false);
  };
  return (
    <div class="catcher-switch">
      <Status tone={catcher.isOn ? 'good' : caught === '' ? 'idle' : 'warn'} label={stateWords(catcher, caught)} />
      <div class="button-line">
        {!catcher.isOn && (
          <ActionButton needs="switchCatcher" class="primary" disabled={isBusy} onClick={() => void turn(true)}>
            Catch everything
          </ActionButton>
        )}
        {caught !== '' && (
          <ActionButton needs="switchCatcher" disabled={isBusy} onClick={() => void turn(false)}>
            Send again
          </ActionButton>
        )}
      </div>
    </div>
  );
}

function stateWords({ isOn }: Catcher, caught: string): string {
  if (isOn) return 'Everything is caught: no email, SMS, chat or push message is sent';
  return caught === '' ? 'Off: messages are sent' : `Caught: ${caught}. Other channels are sent`;
}
