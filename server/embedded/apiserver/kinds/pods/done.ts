/** The answer to a binding or an eviction: nothing is made that could be shown. */
export const DONE = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
