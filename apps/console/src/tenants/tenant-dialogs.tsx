import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { bodyOf, dataOf } from '../api/client.js';
import { useApi } from '../session.js';
import { Confirm } from '../ui/dialog.js';
import { RequiredField, TextField } from '../ui/fields.js';
import { textIn } from '../ui/form-text.js';
import { JsonEditor } from '../ui/json-editor.js';
import { objectOf } from '../ui/json-fault.js';
import { prettyJson } from '../ui/pretty-json.js';
import { useToast } from '../ui/toasts.js';
import type { Tenant } from './tenant-words.js';

interface Props {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The fields of a tenant, in a dialog. @param tenant undefined: a new one */
export function TenantDialog({ tenant, onClose, onDone }: Props & { readonly tenant: Tenant | undefined }): VNode {
  const api = useApi();
  const toast = useToast();
  const [text, setText] = useState(() => prettyJson(tenant?.data ?? {}));
  const { value, fault } = objectOf(text);
  const save = async (form: FormData): Promise<void> => {
    const name = textIn(form, 'name');
    const publicUrl = textIn(form, 'publicUrl') || null;
    const body = { name, identifier: textIn(form, 'identifier'), publicUrl, ...(value && { data: value }) };
    if (tenant === undefined) await dataOf(api.POST('/v1/tenants', { body }));
    else {
      const params = { path: { identifier: tenant.identifier } };
      await dataOf(api.PATCH('/v1/tenants/{identifier}', { params, body }));
    }
    toast(`The tenant ${name} is saved.`);
    onDone();
  };
  return (
    <Confirm
      title={tenant === undefined ? 'New tenant' : `Change ${tenant.name}`}
      action="Save"
      isDisabled={fault !== undefined}
      onClose={onClose}
      onConfirm={save}
    >
      <RequiredField label="Name" name="name" value={tenant?.name} />
      <RequiredField
        label="Identifier"
        name="identifier"
        value={tenant?.identifier}
        note="Triggers name the tenant by it."
        placeholder="acme"
        isCode
      />
      <TextField
        label="Public URL"
        name="publicUrl"
        value={tenant?.publicUrl ?? ''}
        placeholder="https://news.acme.example"
        note="Links in its messages begin with it. Empty: the address of this Herald, PUBLIC_URL."
      />
      <JsonEditor
        label="Data"
        text={text}
        onText={setText}
        note="Templates and conditions read it as tenant.data: a logo, a color, a plan."
      />
    </Confirm>
  );
}

export function DeleteTenantDialog({ tenant, onClose, onDone }: Props & { readonly tenant: Tenant }): VNode {
  const api = useApi();
  const toast = useToast();
  const { identifier, name } = tenant;
  const remove = async (): Promise<void> => {
    await bodyOf(api.DELETE('/v1/tenants/{identifier}', { params: { path: { identifier } } }));
    toast(`The tenant ${name} is deleted.`);
    onDone();
  };
  return (
    <Confirm title={`Delete ${name}`} action="Delete" isDangerous onClose={onClose} onConfirm={remove}>
      <p>
        The settings that workflows have of their own for <code>{identifier}</code> are deleted as well. Messages that
        were sent in its name stay.
      </p>
    </Confirm>
  );
}
