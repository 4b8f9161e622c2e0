import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';

/** Makes a workflow without steps, and opens the editor. */
export function NewWorkflow(): VNode {
  const api = useApi();
  const [, navigate] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const create = async (form: FormData): Promise<void> => {
    const body = { name: textIn(form, 'name'), steps: [], active: false };
    const made = await dataOf(api.POST('/v1/workflows', { body }));
    navigate(`/workflows/${made._id}/edit`);
  };
  return (
    <>
      <ActionButton needs="createWorkflow" class="primary" onClick={() => setOpen(true)}>
        New workflow…
      </ActionButton>
      {isOpen && (
        <Confirm title="New workflow" action="Create" onClose={() => setOpen(false)} onConfirm={create}>
          <RequiredField label="Name" name="name" />
          <p class="note">Its trigger identifier is made from the name. It stays off until you switch it on.</p>
        </Confirm>
      )}
    </>
  );
}
