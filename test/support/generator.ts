/** A part of the repository that a program writes and that is committed, such as a diagram or an index. */
export interface Generator {
  /** A description of the file, for the message that says it is out of date. */
  readonly name: string
  /** The files and their whole content. Paths start at the top of the repository. Equal input gives equal bytes. */
  generate(): GeneratedFiles | Promise<GeneratedFiles>
}

export type GeneratedFiles = Readonly<Record<string, string>>
