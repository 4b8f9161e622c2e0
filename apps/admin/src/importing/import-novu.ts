import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { mongo } from 'mongoose';
import { FailPoint } from '#libs/common';
import type { SecretBox } from '#libs/secrets';
import { isObject, type RawObject } from '#libs/validation';
import { PROFILE_FIELDS, SubscriberProfileDto } from '../../../../src/audience/subscribers/index.js';
import { SEALED_CREDENTIALS } from '../../../../src/channels/integrations/index.js';
import { stepsWithIds } from '../../../../src/content/workflows/index.js';
import { SEALED_KEY } from '../../../../src/platform/auth/index.js';
import { type ForeignSecrets, Unreadable } from './foreign-secrets.js';
import { apiKeyOf, environmentOf, organizationOf } from './novu-owners.js';
import { NovuPeople } from './novu-people.js';
import {
  feedOf,
  given,
  groupOf,
  integrationOf,
  layoutOf,
  LeftOut,
  memberOf,
  messageOf,
  nameOf,
  needed,
  overrideOf,
  ownFields,
  preferenceOf,
  type Row,
  type Taken,
  tenantOf,
  textOf,
  topicOf,
  withoutSecrets,
} from './novu-records.js';
import { readTranslations } from './novu-translations.js';
import { type Parts, readWorkflow } from './novu-workflows.js';
import type { Place, Position } from './position.js';
import { RecordWriter, type Target } from './record-writer.js';
import { ImportReport } from './report.js';
import { allRows, type NovuSource } from './sources/novu-source.js';

interface Importing {
  readonly source: NovuSource;
  readonly to: mongo.Db;
  readonly position: Position;
  readonly box: SecretBox;
  readonly secrets: ForeignSecrets;
  /** Messages of so many days are taken. */
  readonly days: number;
  /** How long Herald keeps messages; 0: for good. */
  readonly keptDays: number;
  /** Address of Herald, for the links of invitations; undefined: nobody is invited. */
  readonly invitesTo: string | undefined;
  readonly isDryRun: boolean;
  readonly progress: (line: string) => void;
}

const DAY_MS = 86_400_000;
/** Reached when a page is written, and the position behind it is not saved yet. */
export const PAGE_WRITTEN = new FailPoint<Place>('import.page-written');

type Reader = (row: Row) => Taken | undefined | Promise<Taken | undefined>;

interface Kind extends Target {
  /** Collection of Novu. */
  readonly from: string;
  readonly read: Reader;
  readonly where?: RawObject;
}

/**
 * Takes over what Novu stores, with ids and dates. A record that exists is replaced, so that it can be repeated; an import that ended early
 * goes on where it ended. Nothing of Novu is changed.
 */
export class NovuImport {
  readonly report = new ImportReport();
  /** Links of the invitations, each with the person. */
  readonly links: string[] = [];
  private readonly identifiers = new Map<string, string>();
  private readonly writer: RecordWriter;

  constructor(private readonly importing: Importing) {
    this.writer = new RecordWriter(importing.to, this.report, importing.isDryRun);
  }

  async run(): Promise<ImportReport> {
    const { position, isDryRun } = this.importing;
    this.report.restore(position.kinds);
    await this.loadIdentifiers();
    await this.kinds(await this.parts());
    await this.translations();
    await this.people();
    if (!isDryRun) {
      await this.rankings();
      await position.clear();
    }
    return this.report;
  }

  private async kinds(parts: Parts): Promise<void> {
    const { place } = this.importing.position;
    const list = this.list(parts);
    const behind = list.findIndex(({ kind, from }) => kind === place?.kind && from === place.from);
    const first = place === undefined ? 0 : behind < 0 ? list.length : behind;
    for (const [at, kind] of list.entries()) {
      if (at < first) continue;
      const { kind: name, from } = list[at + 1] ?? { kind: '', from: '' };
      await this.kind(kind, at === first ? place?.at : undefined, { kind: name, from });
    }
  }

  private list(parts: Parts): Kind[] {
    const { position, days, source, keptDays } = this.importing;
    const since = new Date(position.startedAt.getTime() - days * DAY_MS);
    const plain = (kind: string, from: string, read: Reader, to = kind): Kind => ({ kind, from, to, read });
    const preferences = (from: string): Kind => ({
      ...plain('preferences', from, preferenceOf),
      key: ['_environmentId', '_subscriberId', '_templateId'],
    });
    return [
      plain('organizations', 'organizations', organizationOf),
      plain('environments', 'environments', (row) => this.environment(row)),
      plain('notificationGroups', 'notificationgroups', groupOf),
      plain('feeds', 'feeds', feedOf),
      plain('layouts', 'layouts', (row) => layoutOf(row, parts.controls.get(row._id.toHexString()))),
      {
        ...plain('integrations', 'integrations', (row) => this.integration(row)),
        // One without its secrets does not replace one that got them meanwhile.
        ...(!source.hasSecrets && { key: ['_id'], isKept: true as const }),
      },
      plain('tenants', 'tenants', tenantOf),
      plain('workflows', 'notificationtemplates', (row) => this.workflow(row, parts)),
      plain('workflowOverrides', 'workflowoverrides', overrideOf),
      plain('subscribers', 'subscribers', (row) => this.subscriber(row)),
      plain('topics', 'topics', topicOf),
      plain('topicSubscribers', 'topicsubscribers', memberOf),
      // Of both, the later one wins.
      preferences('subscriberpreferences'),
      preferences('preferences'),
      {
        ...plain('messages', 'messages', (row) => messageOf(row, keptDays)),
        where: { createdAt: { $gte: since } },
      },
    ];
  }

  /** @param following where the import goes on after the last page */
  private async kind(one: Kind, from: string | undefined, following: Place): Promise<void> {
    const { source, position, progress, isDryRun } = this.importing;
    const report = this.report.of(one.kind);
    for await (const { rows, next } of source.pages(one.from, one.where, from)) {
      const taken: Row[] = [];
      for (const row of rows) {
        report.found += 1;
        const record = await this.taken(one, row);
        if (record) taken.push(record);
      }
      await this.writer.write(one, taken);
      progress(`${one.kind}: ${report.found}`);
      const place = next === undefined ? following : { kind: one.kind, from: one.from, at: next };
      if (isDryRun) continue;
      await PAGE_WRITTEN.pass(place);
      await position.save(place, this.report.all);
    }
  }

  private async taken({ kind, read }: Pick<Kind, 'kind' | 'read'>, row: Row): Promise<Row | undefined> {
    const note = { id: row._id.toHexString(), ...given({ name: nameOf(row) }) };
    try {
      const taken = await read(row);
      if (taken === undefined) return void (this.report.of(kind).found -= 1);
      for (const why of taken.changes ?? []) this.report.note(kind, { ...note, outcome: 'changed', why });
      return taken.record;
    } catch (error) {
      if (!(error instanceof LeftOut)) throw error;
      this.report.note(kind, { ...note, outcome: 'left out', why: error.message });
      return undefined;
    }
  }

  /** Integrations by which credentials of subscribers are named; also those that an earlier run has taken over. */
  private async loadIdentifiers(): Promise<void> {
    const { to } = this.importing;
    for await (const { _id, identifier } of to.collection('integrations').find({ deleted: false })) {
      this.identifiers.set(String(_id), String(identifier));
    }
  }

  private async translations(): Promise<void> {
    const { source, to } = this.importing;
    const defaults = new Map<string, string>();
    for await (const row of to.collection('translations').find({ isDefault: true, deleted: false })) {
      defaults.set(String(row['_environmentId']), String(row['locale']));
    }
    const { taken, leftOut } = await readTranslations(source, defaults);
    this.report.begin('translations').found = taken.length + leftOut.size;
    const read = ({ record, changes = [] }: Taken): Promise<Row | undefined> =>
      this.taken({ kind: 'translations', read: () => ({ record, changes }) }, record);
    const records = await Promise.all(taken.map(read));
    for (const [row, why] of leftOut) {
      const name = textOf(row['locale']) ?? row._id.toHexString();
      this.report.note('translations', { id: row._id.toHexString(), name, outcome: 'left out', why });
    }
    const target = { kind: 'translations', to: 'translations', key: ['_environmentId', 'locale'] };
    await this.writer.write(
      target,
      records.filter((row) => row !== undefined),
    );
  }

  private async people(): Promise<void> {
    const { source, to, invitesTo, position } = this.importing;
    const people = new NovuPeople(source, invitesTo ?? '', position.startedAt);
    const members = await people.load();
    this.report.begin('userInvitations').found = members.length;
    const records: Row[] = [];
    for (const member of members) {
      const email = people.emailOf(member);
      const known = email === undefined ? null : await to.collection('users').findOne({ email, deleted: false });
      const joined = ((known?.['memberships'] ?? []) as { _environmentId: mongo.ObjectId }[]).map((one) =>
        one._environmentId.toHexString(),
      );
      const read = (): Taken => {
        if (invitesTo === undefined)
          throw new LeftOut('nobody is invited without --invitations; the file gets the links');
        const { record, link, role } = people.invitation(member, new Set(joined));
        this.links.push(`${String(email)} ${role} ${link}`);
        return { record };
      };
      const record = await this.taken({ kind: 'userInvitations', read }, { ...member, name: email });
      if (record) records.push(record);
    }
    await this.writer.write({ kind: 'userInvitations', to: 'userInvitations' }, records);
  }

  /** With its API keys. */
  private async environment(row: Row): Promise<Taken> {
    const { secrets, box } = this.importing;
    const record = environmentOf(row);
    const changes: string[] = [];
    const keys: Row[] = [];
    for (const key of Array.isArray(row['apiKeys']) ? (row['apiKeys'] as RawObject[]) : []) {
      try {
        const plain = secrets.open(String(key['key']));
        const seal = (text: string, id: mongo.ObjectId, environmentId: mongo.ObjectId): string =>
          box.seal(text, SEALED_KEY.of(id, environmentId));
        keys.push(apiKeyOf({ environment: row, key, plain, place: keys.length, seal }));
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        changes.push(`an API key was left out: ${error.message}`);
      }
    }
    const report = this.report.of('apiKeys');
    report.found += keys.length + changes.length;
    await this.writer.write({ kind: 'apiKeys', to: 'apiKeys', key: ['hash'], isKept: true }, keys);
    return { record, changes };
  }

  private integration(row: Row): Taken {
    const { source, secrets, box } = this.importing;
    try {
      const taken = integrationOf({
        // What an API shows in their place is no secret.
        row: source.hasSecrets ? row : { ...row, credentials: {} },
        open: (value) => secrets.open(value),
        seal: (text, id, environmentId) => box.seal(text, SEALED_CREDENTIALS.of(id, environmentId)),
      });
      this.identifiers.set(row._id.toHexString(), String(taken.record['identifier']));
      return source.hasSecrets ? taken : withoutSecrets(taken);
    } catch (error) {
      if (error instanceof Unreadable) throw new LeftOut(`a credential cannot be read: ${error.message}`);
      throw error;
    }
  }

  private async subscriber(row: Row): Promise<Taken> {
    const subscriberId = needed(row['subscriberId'], 'subscriberId');
    const sent = given(Object.fromEntries(PROFILE_FIELDS.map(({ name }) => [name, row[name] as unknown]))) as RawObject;
    const faults = await validate(plainToInstance(SubscriberProfileDto, sent));
    const changes = faults.map(
      ({ property, constraints }) => `${property} was left out: ${Object.values(constraints ?? {}).join('; ')}`,
    );
    for (const { property } of faults) delete sent[property];
    const channels = (Array.isArray(row['channels']) ? (row['channels'] as RawObject[]) : []).flatMap((channel) => {
      const integrationIdentifier = this.identifiers.get(String(channel['_integrationId']));
      if (integrationIdentifier !== undefined) return [{ ...credentialsOf(channel), integrationIdentifier }];
      changes.push(
        `the credentials for ${String(channel['providerId'])} were left out: their integration is not taken over`,
      );
      return [];
    });
    const search = given({
      email: textOf(sent['email'])?.toLowerCase(),
      firstName: textOf(sent['firstName'])?.toLowerCase(),
      lastName: textOf(sent['lastName'])?.toLowerCase(),
    });
    return { record: { ...ownFields(row), subscriberId, ...sent, channels, search }, changes };
  }

  private async workflow(row: Row, parts: Parts): Promise<Taken> {
    const { fields, steps, language, changes } = readWorkflow(row, parts);
    const built = await stepsWithIds(steps, language);
    if ('faults' in built) throw new LeftOut(built.faults.slice(0, 5).join('; '));
    const { _notificationGroupId, _creatorId, _parentId }: RawObject = row;
    if (!_notificationGroupId) throw new LeftOut('it has no notification group');
    const ids = {
      _notificationGroupId,
      _creatorId: _creatorId ?? row._id,
      ...given({ _parentId }),
    };
    return { record: { ...ownFields(row), ...fields, ...built, ...ids }, changes };
  }

  private async parts(): Promise<Parts> {
    const { source } = this.importing;
    const controls = new Map<string, RawObject>();
    for (const name of ['controls', 'controlvalues']) {
      for (const row of await allRows(source, name))
        if (isObject(row['controls'])) controls.set(String(row['_stepId'] ?? row['_layoutId']), row['controls']);
    }
    const preferences = new Map<string, RawObject>();
    for (const type of ['WORKFLOW_RESOURCE', 'USER_WORKFLOW']) {
      for (const row of await allRows(source, 'preferences', { type })) {
        if (isObject(row['preferences'])) preferences.set(String(row['_templateId']), row['preferences']);
      }
    }
    const templates = new Map((await allRows(source, 'messagetemplates')).map((row) => [row._id.toHexString(), row]));
    const layouts = new Map(
      (await allRows(source, 'layouts')).map((row) => [
        `${String(row['_environmentId'])} ${String(row['identifier'])}`,
        row._id.toHexString(),
      ]),
    );
    return { controls, preferences, templates, layouts };
  }

  /** The primary integration of each channel first, then by priority. */
  private async rankings(): Promise<void> {
    const { source, to } = this.importing;
    const rows = (await allRows(source, 'integrations')).sort(byPriority);
    const places = new Map<string, Row[]>();
    for (const row of rows) {
      if (!this.identifiers.has(row._id.toHexString()) || row['channel'] === 'in_app') continue;
      const place = `${String(row['_environmentId'])} ${String(row['channel'])}`;
      places.set(place, [...(places.get(place) ?? []), row]);
    }
    for (const [first, ...others] of places.values()) {
      if (first === undefined) continue;
      const all = [first, ...others];
      const primary = all.filter((row) => row['primary'] === true);
      const order = [...new Set([...primary, ...all])].map(({ _id }) => _id);
      const { _organizationId, _environmentId, channel } = first;
      const now = new Date();
      await to.collection('integrationRankings').updateOne(
        { _environmentId, channel, deleted: false },
        {
          $set: { order, hasPrimary: primary.length > 0, updatedAt: now },
          $inc: { revision: 1 },
          $setOnInsert: { _organizationId, createdAt: now, __v: 0 },
        },
        { upsert: true },
      );
    }
  }
}

function byPriority(one: Row, other: Row): number {
  const [a, b] = [one, other].map((row) => Number(row['priority'] ?? 0)) as [number, number];
  return b - a || one._id.toHexString().localeCompare(other._id.toHexString());
}

function credentialsOf({ providerId, _integrationId, credentials }: RawObject): object {
  return { providerId, _integrationId, credentials: isObject(credentials) ? given(credentials) : {} };
}
