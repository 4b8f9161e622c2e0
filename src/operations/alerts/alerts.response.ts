import { ApiProperty } from '@nestjs/swagger';
import { shown } from '#libs/http-kit';
import { incidentTexts } from './alert-texts.js';
import { WORKFLOWS } from './alert-workflows.js';
import {
  ALERT_KINDS,
  type AlertKind,
  type Alerts,
  type AlertSettings,
  type Incident,
  INCIDENT_KINDS,
  type IncidentKind,
} from './alerts.schema.js';
import { nextReport } from './report-times.js';

/** What the team has chosen. */
export class AlertSettingsResponse {
  /** Whether anybody is told. */
  isOn: boolean;
  /** What is told. */
  @ApiProperty({ enum: ALERT_KINDS, isArray: true })
  kinds: AlertKind[];
  /** Key of the topic whose members are told. @example herald-alerts */
  topic: string;
  /** Share of messages that fail. @example 20 */
  failurePercent: number;
  /** How late work is, in minutes. @example 5 */
  lateMinutes: number;
  /** Time of day of the report. @example 08:00 */
  reportAt: string;
  /** Time zone of the report. @example Europe/Berlin */
  timezone: string;
}

/** Something that is wrong. */
export class IncidentResponse {
  /** What kind of thing it is. */
  @ApiProperty({ enum: INCIDENT_KINDS })
  kind: IncidentKind;
  /** What is wrong, in a sentence. @example "Mail does not answer" */
  title: string;
  /** Since when. */
  since: Date;
}

/** A workflow that tells people. */
export class AlertWorkflowResponse {
  /** Trigger identifier. @example herald-alert */
  identifier: string;
  /** Record id; absent until it is made, and after it was deleted. @example 64f0c1a2b3c4d5e6f7a8b9c0 */
  _id?: string;
}

/** The alerts of an environment. */
export class AlertsResponse extends AlertSettingsResponse {
  /** Members of the topic, counted up to 10,000. @example 2 */
  recipients: number;
  /** What tells them. */
  workflows: AlertWorkflowResponse[];
  /** What is wrong now, as far as it is told. */
  incidents: IncidentResponse[];
  /** When it was looked at last; absent before the first time. */
  checkedAt?: Date;
  /** When the next report comes; absent without one. */
  nextReportAt?: Date;
  /** Why the last alert could not be sent; absent if it was. */
  fault?: string;
}

const settingsOf = ({
  isOn,
  kinds,
  topic,
  failurePercent,
  lateMinutes,
  reportAt,
  timezone,
}: AlertSettings): AlertSettingsResponse => ({
  isOn,
  kinds,
  topic,
  failurePercent,
  lateMinutes,
  reportAt,
  timezone,
});

export function showSettings(settings: AlertSettings): AlertSettingsResponse {
  return shown(AlertSettingsResponse, settingsOf(settings));
}

const showIncident = (incident: Incident): IncidentResponse =>
  shown(IncidentResponse, {
    kind: incident.kind,
    title: incidentTexts(incident)?.title ?? incident.kind,
    since: incident.since,
  });

export function showAlerts({
  settings,
  row,
  recipients,
  workflows,
  now,
}: {
  readonly settings: AlertSettings;
  readonly row: Alerts | undefined;
  readonly recipients: number;
  readonly workflows: ReadonlyMap<string, string>;
  readonly now: Date;
}): AlertsResponse {
  const nextReportAt = settings.isOn ? (row?.reportDueAt ?? nextReport(settings, now)) : undefined;
  return shown(AlertsResponse, {
    ...settingsOf(settings),
    recipients,
    workflows: WORKFLOWS.map((identifier) => {
      const _id = workflows.get(identifier);
      return shown(AlertWorkflowResponse, { identifier, ...(_id !== undefined && { _id }) });
    }),
    incidents: (row?.open ?? []).map(showIncident),
    ...(row?.checkedAt && { checkedAt: row.checkedAt }),
    ...(nextReportAt && { nextReportAt }),
    ...(row?.fault !== undefined && { fault: row.fault }),
  });
}
