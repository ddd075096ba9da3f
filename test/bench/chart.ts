import { loadPeer } from './load-peer.ts'

/** Curves in one diagram. */
export interface Chart {
  /** The name of the file, without its ending. */
  readonly name: string
  /** What the curves show, for readers who do not see them. */
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly curves: Readonly<Record<string, readonly (readonly [x: number, y: number])[]>>
}

interface Axis {
  /** The quantity and its unit. */
  readonly title: string
  readonly isLogarithmic?: boolean
}

interface Vega {
  /** Renders a specification of Vega-Lite as SVG. */
  readonly renderSvg: (specification: object) => Promise<string>
}

/** Readable on white and on black. Shapes and dashes tell curves apart without colours. */
const colours = ['#2f81f7', '#d1710f', '#8f6fd1', '#2da44e']

/** Draws a chart as SVG that follows the colour scheme of the reader. */
export async function drawChart({ title, x, y, curves }: Chart): Promise<string> {
  const { renderSvg } = await loadPeer<Vega>('vega')
  const values = Object.entries(curves).flatMap(([curve, points]) =>
    points.map(([at, value]) => ({ curve, x: at, y: value })),
  )
  const scale = ({ isLogarithmic = false }: Axis) => ({ type: isLogarithmic ? 'log' : 'linear' })
  const measuredAt = [...new Set(values.map((value) => value.x))]
  const isSingle = Object.keys(curves).length === 1
  const svg = await renderSvg({
    width: 560,
    height: 240,
    padding: 8,
    background: null,
    data: { values },
    mark: { type: 'line', point: { size: 50, filled: true } },
    encoding: {
      // A tick at each measurement.
      x: { field: 'x', type: 'quantitative', title: x.title, scale: scale(x), axis: { values: measuredAt } },
      y: { field: 'y', type: 'quantitative', title: y.title, scale: { ...scale(y), zero: !y.isLogarithmic } },
      ...(!isSingle && {
        color: { field: 'curve', type: 'nominal', title: null, scale: { range: colours }, sort: null },
        strokeDash: { field: 'curve', type: 'nominal', title: null, sort: null },
        shape: { field: 'curve', type: 'nominal', title: null, sort: null },
      }),
    },
    config: {
      font: 'system-ui, sans-serif',
      mark: { color: colours[0] },
      view: { stroke: null },
      axis: {
        labelColor: ink,
        titleColor: ink,
        domainColor: ink,
        tickColor: ink,
        gridColor: ink,
        gridOpacity: 0.15,
        format: ',',
      },
      legend: { labelColor: ink, orient: 'top' },
    },
  })
  const style = `<title>${escape(title)}</title><style>${schemes}</style>`
  return `${svg.replaceAll(`"${ink}"`, '"currentColor"').replace(/(<svg[^>]*)>/, `$1 role="img">${style}`)}\n`
}

/** A placeholder that Vega accepts as a colour, for the colour of the text. */
const ink = '#010203'
const schemes = 'svg{color:#1f2328}@media(prefers-color-scheme:dark){svg{color:#e6edf3}}'

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
