import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runCommand, top } from './command.ts'

/** Creates an empty project in `directory` and installs the packed package, as users do. */
export function startConsumer(directory: string, tarball: string): void {
  mkdirSync(directory, { recursive: true })
  writeJson(join(directory, 'package.json'), { name: 'consumer', private: true, type: 'module' })
  installPackage(directory, tarball)
}

/** Installs a tarball or a package from the registry into the project. */
export function installPackage(directory: string, name: string): void {
  runCommand('npm', ['install', '--silent', '--prefer-offline', name], directory)
}

/** Imports each module in a separate Node process. Fails if the entry does not export `Auth`. */
export function importModules(node: string, directory: string, specifiers: readonly string[]): void {
  const script = `
    for (const specifier of ${JSON.stringify(specifiers)}) {
      const module = await import(specifier).catch((error) => {
        throw new Error('import(' + specifier + ') failed', { cause: error })
      })
      if (specifier === 'authmachine' && typeof module.Auth !== 'function') throw new Error('Auth is missing')
    }`
  runCommand(node, ['--input-type=module', '--eval', script], directory)
}

/** Settings that users may add to `strict`, as far as xstate's declarations compile with them. */
export interface ConsumerOptions {
  readonly exactOptionalPropertyTypes?: boolean
  readonly lib?: readonly string[]
  readonly module?: string
  readonly moduleResolution?: string
  readonly target?: string
  readonly types?: readonly string[]
}

/**
 * Compiles a program that uses these modules, and checks all declaration files, without other types.
 * @param compiler the folder of a release of TypeScript
 */
export function compileConsumer(
  directory: string,
  specifiers: readonly string[],
  options: ConsumerOptions = {},
  compiler: string = join(top, 'node_modules/typescript'),
): void {
  writeFileSync(join(directory, 'consumer.ts'), consumerProgram(specifiers))
  writeJson(join(directory, 'tsconfig.json'), {
    compilerOptions: {
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['ES2023', 'DOM'],
      types: [],
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      ...options,
    },
    files: ['consumer.ts'],
  })
  runCommand(process.execPath, [join(compiler, 'bin/tsc'), '-p', directory])
}

function consumerProgram(specifiers: readonly string[]): string {
  const imports = specifiers.map((specifier, index) => `import * as module${index} from '${specifier}'`)
  const names = specifiers.map((_, index) => `module${index}`)
  return `${imports.join('\n')}
import { Auth, type AuthConfig } from 'authmachine'
import GitHub from 'authmachine/providers/github'
import type { Session } from 'authmachine/types'

export const modules = [${names.join(', ')}]
export const config: AuthConfig = {
  providers: [GitHub, GitHub({ clientId: 'id', clientSecret: 'secret' })],
  callbacks: {
    session: ({ session }) => session,
  },
}
export const handle = (request: Request): Promise<Response> => Auth(request, config)
export const nameOf = (session: Session): string | null | undefined => session.user?.name
`
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, JSON.stringify(value, undefined, 2))
}
