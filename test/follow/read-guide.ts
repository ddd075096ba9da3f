/** The instructions of a guide, in order. */
export type Instruction =
  | { readonly type: 'command'; readonly line: string }
  /** A program to save under the name of its file. */
  | { readonly type: 'program'; readonly name: string; readonly text: string }

/** Reads the shell commands and the programs of a guide. */
export function readGuide(text: string): readonly Instruction[] {
  const blocks = text.matchAll(
    /<!-- file (?<path>\S+) -->\n\n```\w+\n(?<program>[^]*?)```|^```sh\n(?<commands>[^]*?)^```/gm,
  )
  return [...blocks].flatMap(({ groups = {} }): Instruction[] => {
    const { path, program, commands } = groups
    if (path !== undefined && program !== undefined)
      return [{ type: 'program', name: path.split('/').at(-1) ?? path, text: program }]
    return readCommands(commands ?? '').map((line) => ({ type: 'command', line }))
  })
}

/** Splits commands into lines without comments. A line that ends in a backslash continues in the next. */
function readCommands(block: string): readonly string[] {
  return block
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/\s+# .*$/, '').trim())
    .filter((line) => line !== '')
}
