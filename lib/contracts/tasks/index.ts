/**
 * A task is a piece of Python that the console runs in a sandbox it claims through the E2B-compatible API and gives back. Times
 * are epoch ms of the console's server, durations ms. What one person runs is never in another's answer.
 */
export * from './replies';
export * from './request';
export * from './stream';
export * from './task';
