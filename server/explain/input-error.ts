/** What is the matter with the input, in one line, and what to do about it. */
export class InputError extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}
