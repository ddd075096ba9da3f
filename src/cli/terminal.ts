/** Where a command writes to. */
export interface Terminal {
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
  /** Writes a file, with the directories above it. */
  writeFile(path: string, content: string): Promise<void>
}
