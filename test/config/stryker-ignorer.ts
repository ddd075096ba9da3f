/** The parts of a syntax tree node that are used here. */
interface Path {
  readonly node: { readonly type: string; readonly key?: { readonly name?: string } }
}

/**
 * The descriptions in a chart are for readers. No request depends on them, and tests of the documentation check them.
 */
function isDescription({ node }: Path): boolean {
  return node.type === 'ObjectProperty' && ['description', 'meta'].includes(node.key?.name ?? '')
}

/** Keeps Stryker from mutating descriptions. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'descriptions',
    value: {
      shouldIgnore: (path: Path) =>
        isDescription(path) ? 'It is a description, and does not run' : undefined,
    },
  },
]
