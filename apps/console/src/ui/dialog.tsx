import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Failure, toFailure } from '../api/failure.js';
import { FaultScope } from './fields.js';
import { Failed } from './states.js';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

/** A modal dialog of the platform: it keeps the focus, closes with Escape, and returns the focus. */
export function Dialog({ title, children, onClose }: DialogProps): VNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

interface DialogFormProps {
  /** What will happen. */
  readonly children: ComponentChildren;
  /** Name of the action, on the button. */
  readonly action: string;
  readonly isDangerous?: boolean;
  /** There is nothing to do. */
  readonly isDisabled?: boolean;
  readonly onClose: () => void;
  /** Its failure is shown in the dialog. */
  readonly onSubmit: (form: FormData) => Promise<void>;
}

/** The content of a dialog that asks before something happens. Fields may be among the children. */
export function DialogForm(props: DialogFormProps): VNode {
  const { children, action, isDangerous, isDisabled, onClose, onSubmit } = props;
  const [failure, setFailure] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      await onSubmit(new FormData(event.currentTarget as HTMLFormElement));
    } catch (error) {
      setFailure(toFailure(error));
    }
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <FaultScope value={failure?.faults ?? []}>{children}</FaultScope>
      {failure && <Failed failure={failure} />}
      <div class="dialog-buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
        <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={isBusy || isDisabled === true}>
          {isBusy ? 'Working…' : action}
        </button>
      </div>
    </form>
  );
}

interface ConfirmProps extends Omit<DialogFormProps, 'onSubmit'> {
  readonly title: string;
  /** Closes the dialog when it succeeds; its failure is shown in it. */
  readonly onConfirm: (form: FormData) => Promise<void>;
}

/** Asks before something happens. Fields may be among the children. */
export function Confirm({ title, onConfirm, ...form }: ConfirmProps): VNode {
  const submit = async (fields: FormData): Promise<void> => {
    await onConfirm(fields);
    form.onClose();
  };
  return (
    <Dialog title={title} onClose={form.onClose}>
      <DialogForm {...form} onSubmit={submit} />
    </Dialog>
  );
}
