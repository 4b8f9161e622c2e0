import type { VNode } from 'preact';
import { bodyOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { useToast } from '../ui/toasts.js';
import { type Question, type Request, requestWord } from './question-words.js';

interface Props {
  readonly question: Question;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

export function CancelDialog({ question, onClose, onDone }: Props): VNode {
  const api = useApi();
  const toast = useToast();
  const cancel = async (): Promise<void> => {
    const params = { path: { questionId: question._id } };
    await bodyOf(api.POST('/v1/questions/{questionId}/cancel', { params }));
    toast('The question was canceled.');
    onDone();
  };
  return (
    <Confirm title="Cancel the question" action="Cancel it" isDangerous onClose={onClose} onConfirm={cancel}>
      <p>
        Nobody can answer any more, and messages that are not sent yet will not be. Those who were asked see that it was
        canceled.
      </p>
    </Confirm>
  );
}

interface DecideProps extends Props {
  readonly request: Request;
  readonly value: 'approve' | 'refuse';
}

/** Says yes or no to an agent. */
export function DecideDialog({ question, request, value, onClose, onDone }: DecideProps): VNode {
  const api = useApi();
  const toast = useToast();
  const isYes = value === 'approve';
  const decide = async (): Promise<void> => {
    const params = { path: { questionId: question._id } };
    await bodyOf(api.POST('/v1/questions/{questionId}/decision', { params, body: { value } }));
    toast(isYes ? 'It will be sent now.' : 'It will not be sent.');
    onDone();
  };
  return (
    <Confirm
      title={isYes ? 'Let the agent send' : 'Refuse the request'}
      action={isYes ? 'Let it send' : 'Refuse'}
      isDangerous={!isYes}
      onClose={onClose}
      onConfirm={decide}
    >
      <p>
        {isYes
          ? `${requestWord(request)}, once, with the rights of the key.`
          : 'Nothing is sent, and the agent is told so.'}
      </p>
    </Confirm>
  );
}
