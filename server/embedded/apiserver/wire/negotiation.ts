import { notAcceptable } from '../core/status';

/** The shape an answer is wanted in. */
export type Form = 'object' | 'table' | 'metadata' | 'metadataList' | 'discovery' | 'yaml';

const ACCEPTED = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/**
 * Picks the first media type of an Accept header that the server can answer with: plain objects, Tables, metadata
 * alone, aggregated discovery. A client that wants protobuf gets JSON where it takes that too.
 */
export function negotiate(accept: string | undefined): Form {
  if (accept === undefined || accept.trim() === '') return 'object';
  for (const entry of accept.split(',')) {
    const [type = '', ...rest] = entry.split(';').map((part) => part.trim());
    const parameters = new Map(
      rest.map((part): [string, string] => {
        const [key = '', value = ''] = part.split('=');
        return [key, value];
      }),
    );
    if (type === 'application/yaml') return 'yaml';
    if (type !== 'application/json' && type !== '*/*' && type !== 'application/*') continue;
    const as = parameters.get('as');
    if (as === undefined) return 'object';
    const group = `${parameters.get('g')}/${parameters.get('v')}`;
    if (as === 'Table' && group === 'meta.k8s.io/v1') return 'table';
    if (as === 'PartialObjectMetadata' && group === 'meta.k8s.io/v1') return 'metadata';
    if (as === 'PartialObjectMetadataList' && group === 'meta.k8s.io/v1') return 'metadataList';
    if (as === 'APIGroupDiscoveryList' && group === 'apidiscovery.k8s.io/v2') return 'discovery';
  }
  throw notAcceptable(ACCEPTED);
}
