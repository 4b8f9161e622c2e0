import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { ActionButton } from '../access/action-button.js';
import { dataOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useApi } from '../session.js';

const MAX_BYTES = 500_000;
const TYPES = 'image/png,image/jpeg,image/gif';
const NO_ADDRESS = 'The image is stored, but mails cannot find it: the setting PUBLIC_URL is not set.';

/** Stores a picture, and tells its address. */
export function ImageUpload({ onUrl }: { onUrl: (url: string) => void }): VNode {
  const api = useApi();
  const input = useRef<HTMLInputElement>(null);
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const upload = async (file: File): Promise<void> => {
    if (file.size > MAX_BYTES) return setFault(`The image has ${Math.ceil(file.size / 1_000)} kB. It may have 500 kB.`);
    setBusy(true);
    try {
      const body = { name: file.name, file: await base64Of(file) };
      const { url } = await dataOf(api.POST('/v1/images', { body }));
      setFault(url === undefined ? NO_ADDRESS : undefined);
      if (url !== undefined) onUrl(url);
    } catch (error) {
      setFault(toFailure(error).texts.join(' '));
    }
    setBusy(false);
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={TYPES}
        aria-label="Image file"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          currentTarget.value = '';
          if (file) void upload(file);
        }}
      />
      <ActionButton
        needs="createImage"
        type="button"
        class="small"
        disabled={isBusy}
        onClick={() => input.current?.click()}
      >
        Upload…
      </ActionButton>
      {fault !== undefined && (
        <p class="code-fault" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
