'use client';

import { Minus, Plus } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { Button } from '../../ui';

/** Names an item of a list that the patch shall set or take away: its name is what the merge goes by, so it comes first. */
export function AddItem(props: {
  label: string;
  placeholder: string;
  /** What the templates have. */
  known: readonly string[];
  set: string;
  remove: string;
  onSet: (name: string) => void;
  onRemove: (name: string) => void;
}) {
  const { known } = props;
  const [typed, setTyped] = useState('');
  const id = useId();
  const name = typed.trim();
  const row = useRef<HTMLDivElement>(null);
  const finish = (take: (name: string) => void) => {
    if (name === '') return;
    take(name);
    setTyped('');
    // On to its value: the row of the new item stands before this one.
    requestAnimationFrame(() =>
      row.current?.previousElementSibling?.querySelector<HTMLElement>('input, select, button')?.focus(),
    );
  };
  return (
    <div className="plan-add" ref={row}>
      <input
        className="in mono"
        aria-label={props.label}
        placeholder={props.placeholder}
        list={id}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          finish(props.onSet);
        }}
      />
      <datalist id={id}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <Button size="sm" icon={Plus} aria-disabled={name === ''} onClick={() => finish(props.onSet)}>
        {props.set}
      </Button>
      <Button
        size="sm"
        icon={Minus}
        // What no template has cannot be taken away.
        aria-disabled={!known.includes(name)}
        onClick={() => {
          if (known.includes(name)) finish(props.onRemove);
        }}
      >
        {props.remove}
      </Button>
    </div>
  );
}
