/** What a draft is previewed with. */
export interface Sample {
  readonly payload: string;
  readonly subscriber: string;
  readonly tenant: string;
  readonly locale: string;
}
