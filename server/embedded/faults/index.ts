import { apiFaults } from './api-faults';
import { controllerFaults } from './controller-faults';
import { e2bFaults } from './e2b-faults';
import type { FaultKind } from './fault';
import { nodeFaults } from './node-faults';
import { runtimeFaults } from './runtime-faults';
import { webhookFaults } from './webhook-faults';

/** Every fault by its name. */
export const faultKinds: Readonly<Record<string, FaultKind>> = {
  ...apiFaults,
  ...nodeFaults,
  ...controllerFaults,
  ...runtimeFaults,
  ...webhookFaults,
  ...e2bFaults,
};
