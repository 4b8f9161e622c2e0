import { Injectable } from '@nestjs/common';
import { AppConfig } from '#libs/config';
import { isObjectId } from '#libs/persistence';
import { SecretBox } from '#libs/secrets';
import { type ButtonClaims, decodeButton, encodeButton } from './button-token.js';
import { decodeLink, encodeLink, type LinkClaims, type LinkKind, type Mac } from './link-token.js';

export type { LinkClaims } from './link-token.js';

const PURPOSE = 'recipient-links';
const PATHS: Readonly<Record<LinkKind, string>> = {
  unsubscribe: '/unsubscribe',
  preferences: '/preferences',
  open: '/open',
  click: '/click',
  answer: '/answer',
};

const IMAGES = '/images/';

/** Links of messages that begin with one address. */
export class AddressedLinks {
  constructor(
    private readonly base: string,
    /** PUBLIC_URL. */
    private readonly common: string | undefined,
    private readonly tokens: Pick<RecipientLinks, 'tokenOf' | 'buttonOf'>,
  ) {}

  urlOf(kind: LinkKind, claims: LinkClaims): string {
    return `${this.base}${PATHS[kind]}/${this.tokens.tokenOf(kind, claims)}`;
  }

  /** What a button of a chat message hands back. @param integrationId that the message goes through */
  buttonOf(claims: ButtonClaims, integrationId: string): string {
    return this.tokens.buttonOf(claims, integrationId);
  }

  /** A link in a test or a preview: its page says that it is not valid. */
  exampleUrlOf(kind: LinkKind): string {
    return `${this.base}${PATHS[kind]}/example`;
  }

  /** Whether a link leads to Herald itself: those are for one person, and are not followed. */
  isOwn(url: string): boolean {
    return [this.base, this.common].some(
      (base) => base !== undefined && Object.values(PATHS).some((path) => url.startsWith(`${base}${path}/`)),
    );
  }

  /** @param html of a mail, whose authors name pictures by PUBLIC_URL */
  withPictures(html: string): string {
    const { base, common } = this;
    return common === undefined || base === common ? html : html.replaceAll(`"${common}${IMAGES}`, `"${base}${IMAGES}`);
  }

  /** Which picture of Herald's own an address leads to. */
  pictureAt(url: string): { readonly environmentId: string; readonly id: string } | undefined {
    const base = [this.base, this.common].find((one) => one !== undefined && url.startsWith(`${one}${IMAGES}`));
    if (base === undefined) return undefined;
    const [environmentId = '', id = '', ...rest] = url.slice(base.length + IMAGES.length).split('/');
    return isObjectId(environmentId) && isObjectId(id) && rest.length === 0 ? { environmentId, id } : undefined;
  }
}

/** Signed links in messages, which need no log-in. The keys are those of the store: a link ends when its key is no longer listed. */
@Injectable()
export class RecipientLinks {
  private readonly base: string | undefined;
  private readonly mac: Mac = (data, keyId) => this.box.mac(PURPOSE, data, keyId);

  constructor(
    private readonly box: SecretBox,
    config: AppConfig,
  ) {
    this.base = config.get('PUBLIC_URL');
  }

  /**
   * A link works at every address that leads to this Herald.
   * @param address of a tenant; absent: PUBLIC_URL
   * @returns undefined without both: messages have no links
   */
  at(address = this.base): AddressedLinks | undefined {
    if (address === undefined) return undefined;
    return new AddressedLinks(address, this.base, this);
  }

  tokenOf(kind: LinkKind, claims: LinkClaims): string {
    return encodeLink(kind, claims, this.box.currentKeyId, this.mac);
  }

  buttonOf(claims: ButtonClaims, integrationId: string): string {
    return encodeButton(claims, integrationId, this.box.currentKeyId, this.mac);
  }

  /** @returns undefined for a token that is none of the integration */
  readButton(token: string, integrationId: string): ButtonClaims | undefined {
    return decodeButton(token, integrationId, this.mac);
  }

  /** @returns undefined for a token that this Herald did not make, or with a key that it no longer has */
  read(kind: LinkKind, token: string): LinkClaims | undefined {
    return decodeLink(token, kind, this.mac);
  }
}
