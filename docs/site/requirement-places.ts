import { type Chapter, chapters } from '../../spec/index.ts'
import { slugOf } from './slugs.ts'

/** Where a requirement is in the site: the file of its topic, and the anchor of its heading. */
export interface Place {
  readonly file: string
  readonly anchor: string
}

const places: ReadonlyMap<string, Place> = new Map(
  chapters.flatMap((chapter) =>
    chapter.rows.flatMap(({ id, aliases = [] }) =>
      [id, ...aliases].map((each) => [each, { file: fileOf(chapter), anchor: id.toLowerCase() }] as const),
    ),
  ),
)

/** Whether this is the id or an alias of a requirement. */
export function isRequirement(id: string): boolean {
  return places.has(id)
}

/** Finds an id or an alias. @throws Error for any other text */
export function placeOf(id: string): Place {
  const place = places.get(id)
  if (!place) throw new Error(`Unknown requirement ${id}`)
  return place
}

/** The URL of a requirement, relative to the site's top. */
export function urlOf(id: string): string {
  const { file, anchor } = placeOf(id)
  return `${slugOf(`requirements/${file}`)}.html#${anchor}`
}

/** The file with the requirements of a topic. */
export function fileOf({ title }: Chapter): string {
  return `${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}.md`
}
