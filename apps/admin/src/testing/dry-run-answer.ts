/** What of the answer of a dry run is compared. */
export interface DryRunAnswer {
  readonly status: string;
  readonly reason?: string;
  readonly recipients: readonly { readonly status: string; readonly steps: readonly DryRunStep[] }[];
}

export interface DryRunStep {
  readonly uuid: string;
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly error?: string;
  readonly explanation?: { readonly title: string };
  readonly at?: string;
  readonly until?: string;
  readonly conditions?: EvaluatedConditions;
  readonly variants: readonly { readonly name?: string; readonly conditions: { readonly passed: boolean } }[];
  readonly messages: readonly DryRunMessage[];
  readonly details: readonly { readonly detail: string }[];
}

export interface EvaluatedConditions {
  readonly conditions: readonly {
    readonly filter: string;
    readonly field: string;
    readonly operator: string;
    readonly expected: string;
    readonly actual: string;
    readonly passed: boolean;
  }[];
}

export interface DryRunMessage {
  readonly channel: string;
  readonly to?: readonly string[];
  readonly from?: string;
  readonly subject?: string;
  readonly title?: string;
  readonly content: string;
  readonly text?: string;
}
