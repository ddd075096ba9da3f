import type { ExplorerData, Recording } from './data.ts'

/** Returns the story of each published advisory: what the oracle does to check the requirement that its cause broke. */
export function tellAdvisories({
  attacks,
  stories,
}: Pick<ExplorerData, 'attacks' | 'stories'>): readonly Recording[] {
  const told = new Map<string, Recording>()
  for (const story of stories)
    for (const { id, project, cause } of attacks[story.id] ?? [])
      if (!told.has(id))
        told.set(id, {
          id,
          title: `${id} (${project})`,
          group: 'Published advisories',
          text: `${cause}. The recording shows how the oracle checks ${story.id} on this library.`,
          requirements: [story.id],
          frames: story.frames,
        })
  return [...told.values()]
}
