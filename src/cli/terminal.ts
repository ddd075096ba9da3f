/** Where a command writes to. */
export interface Terminal {
  /** To standard output. */
  print(text: string): void
  /** To standard error. */
  complain(text: string): void
  /** Reads a file as text. */
  readFile(path: string): Promise<string>
  /** Writes a file, with the directories above it. */
  writeFile(path: string, content: string): Promise<void>
}
