/** What whoever typed the command can mend: shown as a sentence, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  /** 2 for what was typed wrongly, 1 for what is missing. */
  readonly exitCode: number

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}
