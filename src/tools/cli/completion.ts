import { CommandError } from './arguments.ts'
import { table, type Terminal } from './terminal.ts'

/** A command that the shell completes. */
export interface Completable {
  readonly name: string
  /** One line of help. */
  readonly says: string
  /** Long names of its options, without dashes. */
  readonly options: readonly string[]
  /** Positional arguments; the shell completes file names if there are none. */
  readonly words: readonly string[]
}

/** The output of `authmachine completion --help`. */
export const completionHelp = `Prints a completion script for your shell.

Usage: authmachine completion <bash|zsh|fish>

Add the line for your shell to its startup file:

${table([
  ['~/.bashrc', 'eval "$(authmachine completion bash)"'],
  ['~/.zshrc', 'eval "$(authmachine completion zsh)"'],
  ['~/.config/fish/config.fish', 'authmachine completion fish | source'],
])}

In zsh, put it after compinit.

Completion works for commands in your PATH: install authmachine with
npm install --global, or add node_modules/.bin to your PATH. It does not work
with npx.
`

const shells: ReadonlyMap<string, (commands: readonly Completable[]) => string> = new Map([
  ['bash', writeBash],
  ['zsh', writeZsh],
  ['fish', writeFish],
])

/** The supported shells. */
export const shellNames = [...shells.keys()]

/**
 * Prints the completion script of a shell.
 *
 * @throws {CommandError} unless the arguments name one supported shell
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
