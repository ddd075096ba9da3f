import { CommandError } from './command-error.ts'
import { table } from './table.ts'
import type { Terminal } from './terminal.ts'

/** What can be typed behind `authmachine`. */
export interface Completable {
  readonly name: string
  /** One line of help. */
  readonly says: string
  /** Long names of its options, without dashes. */
  readonly options: readonly string[]
  /** Words that it takes; files are offered where there are none. */
  readonly words: readonly string[]
}

/** What `authmachine completion --help` prints. */
export const completionHelp = `Prints what lets a shell complete commands and options.

Usage: authmachine completion <bash|zsh|fish>

Put the line of your shell into the file that it reads when it starts:

${table([
  ['~/.bashrc', 'eval "$(authmachine completion bash)"'],
  ['~/.zshrc', 'eval "$(authmachine completion zsh)"'],
  ['~/.config/fish/config.fish', 'authmachine completion fish | source'],
])}

In zsh it stands behind compinit.

A shell completes what it finds by itself, which is after npm install --global
authmachine, or where node_modules/.bin is in your PATH; behind npx, nothing.
`

const shells: ReadonlyMap<string, (commands: readonly Completable[]) => string> = new Map([
  ['bash', writeBash],
  ['zsh', writeZsh],
  ['fish', writeFish],
])

/** The shells that there is a completion for. */
export const shellNames = [...shells.keys()]

/**
 * Prints the completion of a shell.
 *
 * @throws {CommandError} when it is none of the shells, or none was named
 */
export function runCompletion(
  args: readonly string[],
  terminal: Terminal,
  commands: readonly Completable[],
): void {
  const [name = '', ...more] = args
  const write = shells.get(name)
  if (!write || more.length > 0)
    throw new CommandError(
      `Expected one shell, ${shellNames.join(', ')}, got ${args.join(' ') || 'none'}.`,
      2,
    )
  terminal.print(write(commands))
}

function offersOf({ words, options }: Completable): string {
  return [...words, ...options.map((option) => `--${option}`)].join(' ')
}

function writeBash(commands: readonly Completable[]): string {
  const cases = commands.map((command) => `      ${command.name}) offers='${offersOf(command)}' ;;`)
  return `_authmachine() {
  local offers=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    offers='${commands.map(({ name }) => name).join(' ')} --help --version'
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$offers" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _authmachine authmachine
`
}

function writeZsh(commands: readonly Completable[]): string {
  const described = commands.map(({ name, says }) => `      ${quote(`${name}:${says}`)}`)
  const cases = commands.map((command) => `      ${command.name}) compadd -- ${offersOf(command)}; _files ;;`)
  return `#compdef authmachine
_authmachine() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${described.join('\n')}
    )
    _describe command commands
  else
    case $words[2] in
${cases.join('\n')}
    esac
  fi
}
compdef _authmachine authmachine
`
}

function writeFish(commands: readonly Completable[]): string {
  return commands
    .flatMap(({ name, says, words, options }) => [
      `complete -c authmachine -n __fish_use_subcommand -f -a ${name} -d ${quote(says)}`,
      ...options.map((option) => `${fishBehind(name)} -l ${option}`),
      ...(words.length > 0 ? [`${fishBehind(name)} -f -a ${quote(words.join(' '))}`] : []),
    ])
    .map((line) => `${line}\n`)
    .join('')
}

function fishBehind(name: string): string {
  return `complete -c authmachine -n '__fish_seen_subcommand_from ${name}'`
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
