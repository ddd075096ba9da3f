import { writeDot } from '../../diagrams/write-dot.ts'
import { writeMermaid } from '../../diagrams/write-mermaid.ts'
import { writeMachine } from '../write-machine.ts'
import type { Diagram } from './diagram.ts'
import { button, type Content, html } from './dom.ts'

/** Saves a file. */
export function download(name: string, type: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = html('a', { href: url, download: name })
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Lists the formats in which a diagram can be saved. */
export function listExports(current: () => Diagram): Content {
  const save = (label: string, ending: string, type: string, write: (diagram: Diagram) => string) =>
    button(label, () => {
      const diagram = current()
      download(`${diagram.graph.id}.${ending}`, type, write(diagram))
    })
  return [
    save('SVG', 'svg', 'image/svg+xml', writeSvg),
    button('PNG', () => void savePng(current())),
    save('Mermaid', 'mmd', 'text/plain', ({ graph }) => `${writeMermaid(graph)}\n`),
    save('DOT', 'dot', 'text/vnd.graphviz', ({ graph }) => `${writeDot(graph, {})}\n`),
    save('XState JSON', 'json', 'application/json', ({ graph }) =>
      JSON.stringify(writeMachine(graph), undefined, 2),
    ),
  ]
}

/** Writes a diagram as it is on the screen, without zoom, as a separate document. */
export function writeSvg({ root, view, graph }: Diagram): string {
  const [width, height] = view.size
  const owner = root.ownerSVGElement
  const copy = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  for (const [name, value] of [
    ['class', owner?.getAttribute('class') ?? 'flow'],
    ['viewBox', `0 0 ${width} ${height}`],
    ['width', String(width)],
    ['height', String(height)],
    ['role', 'img'],
    ['aria-label', `The flow ${graph.id}: ${graph.description}`],
  ] as const)
    copy.setAttribute(name, value)
  const style = document.createElementNS('http://www.w3.org/2000/svg', 'style')
  style.textContent = readStyle()
  const paper = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  paper.setAttribute('class', 'paper')
  paper.setAttribute('width', '100%')
  paper.setAttribute('height', '100%')
  const drawn = root.cloneNode(true) as SVGGElement
  for (const state of drawn.querySelectorAll('[tabindex]')) {
    state.removeAttribute('tabindex')
    state.removeAttribute('role')
  }
  copy.append(style, paper, drawn)
  return new XMLSerializer().serializeToString(copy)
}

/** The rules of the page that are about diagrams. */
function readStyle(): string {
  return [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules])
    .filter(({ cssText }) => cssText.includes('.flow'))
    .map(({ cssText }) => cssText)
    .join('\n')
}

/** Renders at twice the size, for sharp text. */
async function savePng(diagram: Diagram): Promise<void> {
  const [width, height] = diagram.view.size
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(writeSvg(diagram))}`
  await image.decode()
  const canvas = html('canvas', { width: width * 2, height: height * 2 })
  canvas.getContext('2d')?.drawImage(image, 0, 0, width * 2, height * 2)
  canvas.toBlob((blob) => {
    if (blob) download(`${diagram.graph.id}.png`, 'image/png', blob)
  })
}
