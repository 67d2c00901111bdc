/** The mark: three bars crossed by one line, the rail. */
export function Mark() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true">
      <path d="M1 4.5h7M1 9h16M1 13.5h11" stroke="var(--fg-1)" strokeWidth="2.2" strokeLinecap="round" fill="none" />
      <path d="M12.5 1.5v15" stroke="var(--accent-fg)" strokeWidth="1.6" strokeLinecap="round" />
    </svg>
  );
}
