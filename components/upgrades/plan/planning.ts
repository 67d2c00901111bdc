import type { Receipt } from '@/lib/contracts/writes';
import type { FaultCode, Plan, PlanStep } from './contract-of';
import type { PlanDraft } from './draft';
import type { Edit } from './use-drafts';
import type { MissingRight } from './use-missing-rights';
import type { Preview } from './use-preview';

/** An operation that the API server took. */
export type Sent = {
  receipt: Receipt;
  /** Epoch ms when it was sent. */
  at: number;
  namespace: string;
  name: string;
};

/** All that the steps show and change. */
export type Planning = Omit<Plan, 'preview'> & {
  /** Name of the cluster. */
  cluster: string;
  form: PlanDraft;
  edit: Edit;
  preview: Preview;
  missing: readonly MissingRight[];
  /** maxUnavailable as it would be sent; undefined while it is not right. */
  limit: number | string | undefined;
  /** What is not right at a field, as a sentence; `row` tells rows of labels apart. */
  faultOf: (code: FaultCode, row?: number) => string | undefined;
  goTo: (step: PlanStep) => void;
  onSent: (sent: Sent) => void;
};
