import { CircleHelp, OctagonX, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './icon';

const icons = { attention: TriangleAlert, breach: OctagonX, unknown: CircleHelp };

/** A remark that must not be overlooked. Red only for a refused write; `unknown` for what cannot be told. */
export function Note({
  tone,
  title,
  children,
  live,
}: {
  tone: keyof typeof icons;
  title: ReactNode;
  children?: ReactNode;
  /** Appears in answer to something the person did: read aloud at once. */
  live?: boolean;
}) {
  return (
    <div className="note" data-tone={tone} role={live ? 'alert' : undefined}>
      <Icon icon={icons[tone]} />
      <div>
        <b>{title}</b>
        {children ? <div className="nb">{children}</div> : null}
      </div>
    </div>
  );
}
