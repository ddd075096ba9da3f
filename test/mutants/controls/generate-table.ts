import { properties } from '../../../fuzz/properties/index.ts'
import type { Property } from '../../../fuzz/properties/property.ts'
import { listApplicationsByUrl } from './by-url.ts'
import { readControls, type Control, type Controls, type Way } from './control.ts'
import { withoutControl } from './without-control.ts'

/** Writes the page of the site that shows the controls of each property. */
export async function writeControlsPage(): Promise<string> {
  const controls = await readControls()
  const byUrl = properties.filter((property) => listApplicationsByUrl(property).length > 0)
  const rows = properties
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((property) => writeRow(property, controls))
  return `# Controls of the oracle's properties

A property that never fails proves nothing. The control of a property is this library with one bug, the one that the
property exists to find: on its control, a property must FAIL by a requirement that it proves. A control is a
mutant. It consists of two mutants if two guards protect against the same attack.

\`npm run mutants -- --controls\` judges each property on its control, in process and, if the property can be judged by the
URL of an application that signs in by one provider, also over HTTP. \`.ci/full\` includes this.

- ${properties.length} properties: ${countControls(controls, 'library')} have a control in process.
- ${byUrl.length} of them can be judged by URL: ${countControls(controls, 'http')} have a control over HTTP.

| Property | Requirements | Control in process | Control over HTTP |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}

function countControls(controls: Controls, way: Way): number {
  return Object.keys(controls[way]).length
}

function writeRow(property: Property, { library, http }: Controls): string {
  const { name, proves } = property
  const cells = [
    name,
    proves.map((id) => `[${id}](../spec/requirements.md#${id})`).join(', '),
    writeCell(library[name], withoutControl.library[name]),
    listApplicationsByUrl(property).length > 0
      ? writeCell(http[name], withoutControl.http[name])
      : 'not judged by URL',
  ]
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

function writeCell(control: Control | undefined, reason = 'missing'): string {
  if (!control) return `none: ${reason}`
  return [control.mutant, control.also].flatMap((id) => (id === undefined ? [] : [`\`${id}\``])).join(' and ')
}
