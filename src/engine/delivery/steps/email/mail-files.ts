import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type EmailAttachment, findProvider } from '#libs/channels';
import { type FoundLinks, Rendering, TemplateError } from '#libs/templates';
import { type ImageFile, ImagesService } from '../../../../content/images/index.js';
import { DETAIL } from '../../../execution-details/index.js';
import { AttachmentStore } from '../../records/attachments.js';
import { environmentOf } from '../../run/run.js';
import type { StepTask } from '../../run/step-handler.js';

/** Of one mail, all together. Providers take 10 MB and more, and what is attached grows by a third on the way. */
const MAX_PICTURE_BYTES = 2_000_000;
const MAX_PICTURES = 50;
const CACHE_BYTES = 32_000_000;
/** How long mails can still carry a picture that was deleted. */
const CACHE_MS = 10_000;

interface FiledMail {
  readonly html: string;
  readonly files: readonly EmailAttachment[];
}

type OwnPicture = FoundLinks['pictures'][number] & { readonly environmentId: string; readonly id: string };

/** The files that go with a mail: those of its event, and the pictures that are inside of it. */
@Injectable()
export class MailFiles {
  private readonly recent = new LRUCache<string, ImageFile>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ content }) => content.length + 1,
    ttl: CACHE_MS,
  });

  constructor(
    private readonly attachments: AttachmentStore,
    private readonly images: ImagesService,
    private readonly rendering: Rendering,
  ) {}

  ofEvent({ run }: StepTask): Promise<EmailAttachment[]> {
    return this.attachments.load(run.event, 'email');
  }

  /**
   * Takes the pictures that Herald keeps into the mail, each once. Those that cannot be taken stay linked, and the trail says why.
   * @throws {RenderingBusy}
   */
  async withPictures(task: StepTask, providerId: string, html: string): Promise<FiledMail> {
    const linked = new Set<string>();
    const mail = await this.taken(task, providerId, html, linked);
    const { recorder } = task;
    const isKnown = recorder.details.some(
      (one) => one.detail === DETAIL.picturesLinked && one.providerId === providerId,
    );
    if (linked.size > 0 && !isKnown) {
      recorder.note(DETAIL.picturesLinked, { providerId, raw: { providerId, reasons: [...linked] } });
    }
    return mail;
  }

  private async taken(task: StepTask, providerId: string, html: string, linked: Set<string>): Promise<FiledMail> {
    const own = await this.picturesIn(task, html, linked);
    if (own.length > 0 && findProvider(providerId, 'email')?.supports.inline !== true) {
      linked.add('The provider takes no pictures inside of mails.');
      return { html, files: [] };
    }
    const files = await this.filesOf(own, linked);
    let at = 0;
    const parts: string[] = [];
    for (const { id, start, end } of own) {
      const cid = files.get(id)?.cid;
      if (cid === undefined) continue;
      parts.push(html.slice(at, start), `src="cid:${cid}"`);
      at = end;
    }
    return { html: parts.join('') + html.slice(at), files: [...files.values()] };
  }

  private async picturesIn(task: StepTask, html: string, linked: Set<string>): Promise<OwnPicture[]> {
    const { links } = task.run.facts;
    if (links === undefined) return [];
    try {
      const { pictures } = await this.rendering.links(html, environmentOf(task.run));
      return pictures.flatMap((found) => {
        const picture = links.pictureAt(found.url);
        return picture === undefined ? [] : [{ ...found, ...picture }];
      });
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      linked.add(error.message);
      return [];
    }
  }

  /** By id of the picture. */
  private async filesOf(own: readonly OwnPicture[], linked: Set<string>): Promise<Map<string, EmailAttachment>> {
    const files = new Map<string, EmailAttachment>();
    const wanted = new Map(own.map(({ id, environmentId }) => [id, environmentId]));
    if (wanted.size > MAX_PICTURES) linked.add(`The mail has more than ${MAX_PICTURES} pictures.`);
    let left = MAX_PICTURE_BYTES;
    for (const [id, environmentId] of [...wanted].slice(0, MAX_PICTURES)) {
      const file = await this.fileOf(environmentId, id);
      if (file === undefined) linked.add(`The picture ${id} is not stored any more.`);
      else if (file.content.length > left) linked.add(`The pictures have more than ${MAX_PICTURE_BYTES} bytes.`);
      else {
        left -= file.content.length;
        files.set(id, attached(id, file));
      }
    }
    return files;
  }

  private async fileOf(environmentId: string, id: string): Promise<ImageFile | undefined> {
    const key = `${environmentId}/${id}`;
    const file = this.recent.get(key) ?? (await this.images.file(environmentId, id));
    if (file !== undefined && !this.recent.has(key)) this.recent.set(key, file);
    return file;
  }
}

/** Some providers tell the type by the ending of the name, and take the name as content id. */
function attached(id: string, { name, type, content }: ImageFile): EmailAttachment {
  const ending = `.${type.slice('image/'.length)}`;
  const hasEnding = name.toLowerCase().endsWith(ending) || (type === 'image/jpeg' && /\.jpg$/i.test(name));
  return {
    name: hasEnding ? name : `${name}${ending}`,
    mime: type,
    content,
    cid: `${id}${ending}`,
    disposition: 'inline',
  };
}
