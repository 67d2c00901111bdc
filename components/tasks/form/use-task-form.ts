import { useCallback, useEffect, useRef, useState } from 'react';
import { keptForm, newForm, type TaskForm } from './task-form';

const restMs = 300;
const keyOf = (cluster: string) => `task-form:${cluster}`;

/** Undefined: nothing is kept, or nothing that can be read. */
function read(cluster: string): TaskForm | undefined {
  try {
    return keptForm.parse(JSON.parse(localStorage.getItem(keyOf(cluster)) ?? ''));
  } catch {
    return undefined;
  }
}

function write(cluster: string, form: TaskForm): boolean {
  try {
    // The schema leaves out what files and variables hold.
    localStorage.setItem(keyOf(cluster), JSON.stringify(keptForm.parse(form)));
    return true;
  } catch {
    return false;
  }
}

/** What is typed, kept in this browser when it rests and whenever the page is left. `cluster` names whose pools it is about. */
export function useTaskForm(cluster: string) {
  const [form, setForm] = useState<TaskForm>(() => read(cluster) ?? newForm());
  const [before, setBefore] = useState<TaskForm>();
  const [isKept, setKept] = useState(true);
  const latest = useRef(form);
  // External system: the browser's storage.
  useEffect(() => {
    latest.current = form;
    const timer = setTimeout(() => setKept(write(cluster, form)), restMs);
    return () => clearTimeout(timer);
  }, [cluster, form]);
  useEffect(() => {
    const now = () => write(cluster, latest.current);
    window.addEventListener('pagehide', now);
    return () => {
      window.removeEventListener('pagehide', now);
      now();
    };
  }, [cluster]);
  return {
    form,
    /** False: a reload loses the form. */
    isKept,
    edit: useCallback((part: Partial<TaskForm> | ((was: TaskForm) => Partial<TaskForm>)) => {
      setBefore(undefined);
      setForm((was) => ({ ...was, ...(typeof part === 'function' ? part(was) : part) }));
    }, []),
    /** Puts another in its place; what was there can be brought back until the next edit. */
    replace: useCallback((part: Partial<TaskForm>) => {
      setBefore(latest.current);
      setForm((was) => ({ ...was, ...part }));
    }, []),
    bringBack:
      before &&
      (() => {
        setForm(before);
        setBefore(undefined);
      }),
  };
}
export type Form = ReturnType<typeof useTaskForm>;
