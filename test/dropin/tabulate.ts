import { readFileSync } from 'node:fs'
import { dropins, journeys, type Dropin } from './apps.ts'

/** Writes the table of the applications: which package, in which version, beside which framework, and what was driven. */
export function tabulateDropins(): string {
  const rows = dropins.map((app) => {
    const driven = app.driven.map((journey) => journeys[journey]).join('; ')
    return `| ${nameVersion(app, app.integration)} | ${nameVersion(app, app.framework)} | ${driven} |`
  })
  return ['| Package | Framework | What the tests do |', '| --- | --- | --- |', ...rows].join('\n')
}

/** Names a package with the version in the lock file of an application. @throws Error when it is not there */
function nameVersion({ name }: Dropin, dependency: string): string {
  const file = new URL(`./${name}/package-lock.json`, import.meta.url)
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, { version?: string } | undefined>
  }
  const version = packages[`node_modules/${dependency}`]?.version
  if (version === undefined)
    throw new Error(`${file.pathname} has no version of ${dependency}: run npm install there`)
  return `\`${dependency}\` ${version}`
}
