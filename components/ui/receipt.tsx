import { Check, Clock, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon, type Tone } from './icon';
import { Spinner } from './spinner';

/**
 * What became of a write: `accepted` by the API server and not yet seen, `observed` through the watch,
 * `unobserved` although it was waited for, `refused`.
 */
export type ReceiptState = 'accepted' | 'observed' | 'unobserved' | 'refused';

const marks: Record<Exclude<ReceiptState, 'accepted'>, { icon: typeof Check; tone: Tone }> = {
  observed: { icon: Check, tone: 'ok' },
  unobserved: { icon: Clock, tone: 'attention' },
  refused: { icon: OctagonX, tone: 'breach' },
};

export function ReceiptCard({
  state,
  title,
  took,
  children,
}: {
  state: ReceiptState;
  title: ReactNode;
  /** Time from the request to now or to its observation, as text. */
  took?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="receipt" role="status">
      <div className="row">
        {state === 'accepted' ? <Spinner /> : <Icon {...marks[state]} />}
        <span className="b">{title}</span>
        {took ? <span className="end sm dim nw">{took}</span> : null}
      </div>
      {children ? <div className="sm mut">{children}</div> : null}
    </div>
  );
}
