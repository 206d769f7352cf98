import type { EntitySummary } from '@/lib/registry/summary-contract'

/** A field in the box of an entity. */
export type Row = { name: string; type: string; isKey: boolean; target: string | null }
export type DiagramNode = {
  name: string
  label: string
  /** Keys and references. */
  rows: Row[]
  /** How many other fields there are. */
  more: number
  /** Of another plugin than the shown one, which refers to it. */
  isOther: boolean
}
export type DiagramEdge = { from: string; to: string; fields: string[] }
export type Diagram = { nodes: DiagramNode[]; edges: DiagramEdge[] }

/** More are not drawn at once: nobody could read them, and laying them out takes seconds. */
export const MOST_ENTITIES = 250
export const MOST_REFERENCES = 400

export const isTooLarge = ({ nodes, edges }: Diagram): boolean =>
  nodes.length > MOST_ENTITIES || edges.length > MOST_REFERENCES

/** The entities of a plugin, with those they refer to; null: of all plugins. */
export function diagramOf(all: readonly EntitySummary[], plugin: string | null): Diagram {
  const own = all.filter(({ pluginId }) => plugin === null || pluginId === plugin)
  const names = new Set(own.map(({ name }) => name))
  const targets = own.flatMap(({ fields }) => fields.flatMap(({ reference }) => reference ?? []))
  const others = all.filter(({ name }) => !names.has(name) && targets.includes(name))
  const nodes = [...own, ...others]
    .map((entity) => nodeOf(entity, !names.has(entity.name)))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  return { nodes, edges: nodes.filter(({ isOther }) => !isOther).flatMap(edgesOf) }
}

function nodeOf({ name, label, keys, fields }: EntitySummary, isOther: boolean): DiagramNode {
  const types = new Map(fields.map((field) => [field.name, field]))
  const keyRows = keys.map(({ key, type }) => ({
    ...{ name: key, type: types.get(key)?.type ?? type, isKey: true },
    target: types.get(key)?.reference ?? null,
  }))
  const isKey = (field: string) => keys.some(({ key }) => key === field)
  const references = fields
    .filter((field) => field.reference !== undefined && !isKey(field.name))
    .map(({ name, type, reference }) => ({ name, type, isKey: false, target: reference ?? null }))
  const rows = isOther ? keyRows : [...keyRows, ...references]
  const shown = new Set(rows.map((row) => row.name))
  const more = fields.filter((field) => !shown.has(field.name)).length
  return { name, label: label ?? name, rows, more, isOther }
}

/** One for each entity that it refers to, with the fields by which it does. */
function edgesOf({ name, rows }: DiagramNode): DiagramEdge[] {
  const byTarget = new Map<string, string[]>()
  for (const { name: field, target } of rows)
    if (target !== null) byTarget.set(target, [...(byTarget.get(target) ?? []), field])
  return [...byTarget].map(([to, fields]) => ({ from: name, to, fields }))
}

/** The same as an entity relationship diagram of Mermaid. */
export function mermaidOf({ nodes, edges }: Diagram): string {
  const lines = nodes.flatMap(({ name, rows }) => [
    `  ${quoted(name)} {`,
    ...rows.map((row) => `    ${word(row.type)} ${word(row.name)}${marks(row)}`),
    '  }',
  ])
  const relations = edges.map(
    ({ from, to, fields }) =>
      `  ${quoted(from)} }o--o| ${quoted(to)} : ${quoted(fields.join(', '))}`,
  )
  return ['erDiagram', ...lines, ...relations, ''].join('\n')
}

const quoted = (text: string) => `"${text.replaceAll('"', "'")}"`
/** What Mermaid takes as the type or the name of an attribute. */
const word = (text: string) => text.replace(/[^\p{L}\p{N}_-]/gu, '_').replace(/^(?!\p{L})/u, '_')

function marks({ isKey, target }: Row): string {
  const found = [isKey && 'PK', target !== null && 'FK'].filter(Boolean)
  return found.length > 0 ? ` ${found.join(', ')}` : ''
}
