import { useState } from 'react';

/** A value that follows `value` until it is to stop, and then stays what it was before. */
export function useHeld<T extends object | undefined>(value: T, isStopped: boolean): T {
  const [held, setHeld] = useState(value);
  // Adjusted while rendering: no frame shows what came after.
  if (!isStopped && held !== value) setHeld(value);
  return isStopped ? held : value;
}
