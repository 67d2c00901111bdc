/** Who sends a request. */
export interface Principal {
  user: string;
  uid?: string;
  groups: readonly string[];
  extra?: Record<string, readonly string[]>;
}
