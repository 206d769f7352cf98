import type { Diagram, DiagramEdge, DiagramNode, Row } from './model'

type Point = { x: number; y: number }
/** In pixels at the size of 100 %; `x`, `y`: its upper left corner. */
export type PlacedNode = Omit<DiagramNode, 'rows'> &
  Point & { width: number; height: number; rows: PlacedRow[] }
/** `meaning`: its type, or the entity that it refers to; texts are cut to the width of the box. */
type PlacedRow = Row & { meaning: string }
type PlacedEdge = DiagramEdge & { path: string }
export type Layout = { width: number; height: number; nodes: PlacedNode[]; edges: PlacedEdge[] }

const HEAD_HEIGHT = 28
const ROW_HEIGHT = 20
const [LEAST_WIDTH, MOST_WIDTH] = [120, 260]
/** Of a letter of 12 pixels, on average. */
const LETTER = 7
const MARGIN = 24
const LOOP = 20

/** Places the boxes in layers, so that references lead from left to right as far as they can. */
export async function layoutOf(diagram: Diagram): Promise<Layout> {
  const { Graph, layout } = await import('@dagrejs/dagre')
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: 'LR', nodesep: 24, ranksep: 72, marginx: MARGIN, marginy: MARGIN })
  for (const node of diagram.nodes) graph.setNode(node.name, sizeOf(node))
  for (const { from, to } of diagram.edges) graph.setEdge(from, to, {})
  layout(graph)
  const nodes = diagram.nodes.map((node) => {
    const { x = 0, y = 0 } = graph.node(node.name) as Partial<Point>
    const { width, height } = sizeOf(node)
    return { ...cut(node, width), width, height, x: x - width / 2, y: y - height / 2 }
  })
  const boxes = new Map(nodes.map((node) => [node.name, node]))
  const lines = diagram.edges.map((edge) => {
    const box = boxes.get(edge.from)
    const { points = [] } = graph.edge(edge.from, edge.to) as { points?: Point[] }
    return { edge, points: edge.from === edge.to && box ? loopAt(box) : points }
  })
  const edges = lines.map(({ edge, points }) => ({ ...edge, path: pathOf(points) }))
  // Lines may lie outside of what the boxes take.
  const ends = [
    ...nodes.map(({ x, y, width, height }) => ({ x: x + width, y: y + height })),
    ...lines.flatMap(({ points }) => points),
  ]
  const width = Math.max(0, ...ends.map(({ x }) => x)) + MARGIN
  const height = Math.max(0, ...ends.map(({ y }) => y)) + MARGIN
  return { width, height, nodes, edges }
}

/** Of a reference to the entity itself, at the right of its box. */
function loopAt({ x, y, width, height }: Point & { width: number; height: number }): Point[] {
  const right = x + width
  const [from, to] = [y + height - 10, y + 14]
  return [
    { x: right, y: from },
    { x: right + LOOP, y: from },
    { x: right + LOOP, y: to },
    { x: right, y: to },
  ]
}

/** Where the text of a row stands in its box. */
export const lineAt = (row: number) => HEAD_HEIGHT + row * ROW_HEIGHT + 14

const meaningOf = ({ type, target }: Row) => (target === null ? type : `→ ${target}`)

function sizeOf({ label, rows, more }: DiagramNode) {
  const texts = [label, ...rows.map((row) => `${row.name} ${meaningOf(row)}`)]
  const longest = Math.max(...texts.map((text) => text.length))
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, longest * LETTER + 28))
  return { width, height: HEAD_HEIGHT + (rows.length + (more > 0 ? 1 : 0)) * ROW_HEIGHT + 4 }
}

function cut(node: DiagramNode, width: number) {
  const letters = Math.floor((width - 24) / LETTER)
  const rows = node.rows.map((row) => ({
    ...row,
    meaning: shortened(meaningOf(row), Math.max(4, letters - row.name.length)),
    name: shortened(row.name, letters),
  }))
  return { ...node, label: shortened(node.label, letters), rows }
}

const shortened = (text: string, letters: number) =>
  text.length <= letters ? text : `${text.slice(0, letters - 1)}…`

/** Through the points, with corners that are rounded at the middle of each line. */
function pathOf([first, ...rest]: readonly Point[]): string {
  if (!first) return ''
  const last = rest.at(-1) ?? first
  const bends = rest.slice(0, -1).map((point, n) => {
    const next = rest[n + 1] ?? last
    return `Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`
  })
  return [`M${at(first)}`, ...bends, `L${at(last)}`].join('')
}

const at = ({ x, y }: Point) => `${Math.round(x)},${Math.round(y)}`
