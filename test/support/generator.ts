/** A part of the repository that is written by a program and committed, such as a drawing or an index. */
export interface Generator {
  /** What the file is, for the message that says it is out of date. */
  readonly name: string
  /** The files and their whole content. Paths start at the top of the repository. Equal input gives equal bytes. */
  generate(): GeneratedFiles | Promise<GeneratedFiles>
}

export type GeneratedFiles = Readonly<Record<string, string>>
