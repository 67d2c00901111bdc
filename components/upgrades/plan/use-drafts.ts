import { useEffect, useRef, useState } from 'react';
import { newDraft, type PlanDraft } from './draft';
import { readDrafts, writeDrafts } from './draft-store';

/** Typing is written down when it rests for so long, and whenever the page is left. */
const restMs = 300;

/**
 * The drafts of a cluster as this tab holds them, kept in the browser's storage.
 * @param namespace of a form that nothing was typed into yet
 */
export function useDrafts(cluster: string, namespace: string) {
  const [drafts, setDrafts] = useState(() => readDrafts(cluster));
  const [blank] = useState(() => newDraft(Date.now(), { namespace }));
  const [kept, setKept] = useState(true);
  const latest = useRef(drafts);
  const gone = useRef(new Set<string>());
  // External system: the browser's storage.
  useEffect(() => {
    latest.current = drafts;
    const timer = setTimeout(() => setKept(writeDrafts(cluster, drafts, gone.current)), restMs);
    return () => clearTimeout(timer);
  }, [cluster, drafts]);
  useEffect(() => {
    const write = () => writeDrafts(cluster, latest.current, gone.current);
    window.addEventListener('pagehide', write);
    return () => {
      window.removeEventListener('pagehide', write);
      write();
    };
  }, [cluster]);

  const [form = blank, ...others] = drafts;
  return {
    form,
    /** Nothing to discard: neither typed nor handed over. */
    blank: drafts.length === 0,
    /** Other unsent drafts, the last one first. */
    others,
    /** False: this browser keeps nothing, so that a reload loses the form. */
    kept,
    edit: (part: Partial<PlanDraft>) =>
      setDrafts(([first = blank, ...rest]) => [{ ...first, ...part, savedAt: Date.now(), edited: true }, ...rest]),
    open: (id: string) => setDrafts((all) => all.toSorted((a, b) => Number(b.id === id) - Number(a.id === id))),
    drop(id: string) {
      gone.current.add(id);
      setDrafts((all) => all.filter((draft) => draft.id !== id));
    },
  };
}
export type Edit = (part: Partial<PlanDraft>) => void;
