/** A place that will hold text. Does not move. */
export function Skeleton({ width }: { width: number | string }) {
  return <span className="sk" style={{ width }} />;
}
