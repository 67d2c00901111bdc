/** So many at once are few: for more, the number is typed by hand before anything is sent. */
export const fewUpTo = 20;
