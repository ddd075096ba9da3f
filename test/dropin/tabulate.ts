import { readFileSync } from 'node:fs'
import { dropins, journeys, type Dropin } from './apps.ts'

/** Writes the table of applications: package and version, framework, and the journeys tested. */
export function tabulateDropins(): string {
  const rows = dropins.map((app) => {
    const driven = app.driven.map((journey) => journeys[journey]).join('; ')
    return `| ${nameVersion(app, app.integration)} | ${nameVersion(app, app.framework)} | ${driven} |`
  })
  return ['| Package | Framework | Tested |', '| --- | --- | --- |', ...rows].join('\n')
}

/**
 * Names a package with its version in the lock file of an application. @throws Error when the lock file does not list
 * it
 */
function nameVersion({ name }: Dropin, dependency: string): string {
  const file = new URL(`./${name}/package-lock.json`, import.meta.url)
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { version?: string } | undefined>
  }
  const version = packages[`node_modules/${dependency}`]?.version
  if (version === undefined)
    throw new Error(`${file.pathname} does not list ${dependency}: run npm install there`)
  return `\`${dependency}\` ${version}`
}
