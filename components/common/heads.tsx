import type { ReactNode } from 'react';

/** Title of a page, what it counts, and its tools on the right. */
export function PageHead({
  title,
  crumb,
  sub,
  actions,
}: {
  title: ReactNode;
  /** The list this object belongs to, before the title. */
  crumb?: ReactNode;
  sub?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="head">
      <h1>
        {crumb ? <span className="crumb">{crumb} / </span> : null}
        {title}
      </h1>
      {sub ? <span className="sub">{sub}</span> : null}
      {actions ? <div className="acts">{actions}</div> : null}
    </div>
  );
}

/** Title of a section between hairlines. */
export function SectionHead({ title, hint, end }: { title: ReactNode; hint?: ReactNode; end?: ReactNode }) {
  return (
    <div className="sech">
      <h2>{title}</h2>
      {hint ? <span className="dim">{hint}</span> : null}
      {end ? <span className="end row">{end}</span> : null}
    </div>
  );
}

/** Facts of one object as a list of terms. A fact that is not there is `–`. */
export function KeyValues({ items }: { items: readonly { label: ReactNode; value: ReactNode; mono?: boolean }[] }) {
  return (
    <dl className="kv">
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed list
        <div key={index} className="contents">
          <dt>{item.label}</dt>
          <dd className={item.mono && item.value ? 'mono' : undefined}>
            {item.value ?? <span className="dim">–</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
