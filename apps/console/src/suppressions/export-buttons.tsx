import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { type Api, bodyOf } from '../api/client.js';
import { toFailure } from '../api/failure.js';
import { useApi } from '../session.js';
import { saveFile } from '../ui/save-file.js';
import { useToast } from '../ui/toasts.js';
import { type Asked, type Suppression, toCsv } from './suppression-words.js';

/** Saves all entries that the filters leave, not only those of the page. */
export function ExportButtons({ asked }: { readonly asked: Asked }): VNode {
  const api = useApi();
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const save = async (write: (rows: readonly Suppression[]) => void): Promise<void> => {
    setBusy(true);
    try {
      write(await everything(api, asked));
    } catch (error) {
      toast(toFailure(error).texts.join(' '), 'bad');
    }
    setBusy(false);
  };
  const asJson = (rows: readonly Suppression[]): void =>
    saveFile('suppressions.json', `${JSON.stringify(rows, undefined, 2)}\n`);
  const asCsv = (rows: readonly Suppression[]): void => saveFile('suppressions.csv', toCsv(rows), 'text/csv');
  return (
    <>
      <button type="button" disabled={isBusy} onClick={() => void save(asCsv)}>
        Export CSV
      </button>
      <button type="button" disabled={isBusy} onClick={() => void save(asJson)}>
        Export JSON
      </button>
    </>
  );
}

async function everything(api: Api, asked: Asked): Promise<Suppression[]> {
  const rows: Suppression[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const query = { ...asked, ...(cursor !== '' && { cursor }) };
    const page: { data: { suppressions: Suppression[]; next?: string } } = await bodyOf(
      api.GET('/v1/suppressions/export', { params: { query } }),
    );
    rows.push(...page.data.suppressions);
    cursor = page.data.next;
  }
  return rows;
}
