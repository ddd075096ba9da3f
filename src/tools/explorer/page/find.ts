import { type Explorer, openRecording, showFlow, showPlace, type State } from './state.ts'

/** A search result, and the change that shows it. */
interface Found {
  readonly title: string
  readonly where: string
  readonly change: () => Partial<State>
}

/** Finds flows, states, events, requirements and recordings that contain all words. */
export function find(explorer: Explorer, text: string): readonly Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const has = (...texts: readonly string[]) => {
    const all = texts.join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const found: Found[] = []
  for (const graph of explorer.setup.graphs) {
    const at = (place: string) => () => showPlace(explorer, graph.id, place)
    if (has(graph.id, graph.description))
      found.push({ title: graph.id, where: 'flow', change: () => showFlow(explorer, graph.id) })
    for (const { id, name, description, step = '' } of graph.nodes)
      if (has(name, step, description)) found.push({ title: name, where: graph.id, change: at(id) })
    for (const { source, event } of graph.edges)
      if (source !== undefined && has(event))
        found.push({ title: event, where: `${graph.id}, ${source}`, change: at(source) })
    for (const { id, spec } of graph.nodes)
      for (const requirement of spec)
        if (has(requirement, explorer.setup.requirements[requirement]?.says ?? ''))
          found.push({ title: requirement, where: `${graph.id}, ${id}`, change: at(id) })
  }
  for (const recording of explorer.recordings)
    if (has(recording.title, recording.id))
      found.push({
        title: recording.title,
        where: recording.group,
        change: () => openRecording(explorer, recording),
      })
  // A title that begins with the first word is a better match than one that only contains it.
  const begins = ({ title }: Found) => Number(!title.toLowerCase().startsWith(words[0] ?? ''))
  return found.toSorted((a, b) => begins(a) - begins(b)).slice(0, 40)
}
