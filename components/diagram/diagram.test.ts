import { expect, test } from 'vitest'
import type { EntitySummary } from '@/lib/registry/summary-contract'
import { layoutOf } from './layout'
import { diagramOf, isTooLarge, mermaidOf } from './model'
import { svgFile } from './svg-file'

type Field = { name: string; type: string; reference?: string }

const entity = (name: string, pluginId: string, fields: Field[], key = 'id') =>
  ({
    ...{ name, pluginId, label: null, fields },
    keys: [{ key, strategy: 'Fixed', type: 'string' }],
  }) as unknown as EntitySummary

const ALL = [
  entity('Order', 'shop', [
    { name: 'id', type: 'string' },
    { name: 'customer', type: 'string', reference: 'Customer' },
    { name: 'payer', type: 'string', reference: 'Customer' },
    { name: 'total', type: 'decimal' },
  ]),
  entity('Customer', 'shop', [
    { name: 'id', type: 'string' },
    { name: 'country', type: 'string', reference: 'Country' },
    { name: 'boss', type: 'string', reference: 'Customer' },
  ]),
  entity('Country', 'places', [{ name: 'id', type: 'string' }]),
]

test('a box has the keys and references of an entity, and the number of its other fields', () => {
  const { nodes, edges } = diagramOf(ALL, null)
  expect(nodes.map(({ name }) => name)).toEqual(['Country', 'Customer', 'Order'])
  expect(nodes[2]).toMatchObject({
    rows: [
      { name: 'id', isKey: true, target: null },
      { name: 'customer', target: 'Customer' },
      { name: 'payer', target: 'Customer' },
    ],
    more: 1,
  })
  expect(edges).toEqual([
    { from: 'Customer', to: 'Country', fields: ['country'] },
    { from: 'Customer', to: 'Customer', fields: ['boss'] },
    { from: 'Order', to: 'Customer', fields: ['customer', 'payer'] },
  ])
})

test('of one plugin, it also has what that refers to', () => {
  const { nodes } = diagramOf(ALL, 'shop')
  expect(nodes.map(({ name, isOther }) => [name, isOther])).toEqual([
    ['Country', true],
    ['Customer', false],
    ['Order', false],
  ])
  expect(diagramOf(ALL, 'places').nodes).toHaveLength(1)
})

test('boxes do not overlap, and every line is drawn', async () => {
  const { nodes, edges, width, height } = await layoutOf(diagramOf(ALL, null))
  for (const one of nodes) {
    expect(one.x >= 0 && one.y >= 0).toBe(true)
    expect(one.x + one.width <= width && one.y + one.height <= height).toBe(true)
    for (const other of nodes.filter((node) => node !== one)) {
      const isBeside = one.x + one.width <= other.x || other.x + other.width <= one.x
      const isBelow = one.y + one.height <= other.y || other.y + other.height <= one.y
      expect(isBeside || isBelow).toBe(true)
    }
  }
  expect(edges.map(({ path }) => /^M[-\d]+,[-\d]+.*L[-\d]+,[-\d]+$/.test(path))).toEqual([
    true,
    true,
    true,
  ])
})

test('files hold what was drawn, whatever the names are', async () => {
  const strange = entity('A"<b>&', 'shop', [{ name: 'id', type: 'string' }])
  const diagram = diagramOf([...ALL, strange], null)
  const svg = svgFile(await layoutOf(diagram))
  expect(svg).toContain('&#60;b&#62;&#38;')
  expect(svg).not.toContain('<b>')
  expect(svg.match(/marker-end/g)).toHaveLength(3)
  const mermaid = mermaidOf(diagram)
  expect(mermaid.split('\n')[0]).toBe('erDiagram')
  expect(mermaid).toContain('  "Order" }o--o| "Customer" : "customer, payer"\n')
  expect(mermaid).toContain('    string customer FK\n')
  expect(mermaid).toContain(`  "A'<b>&" {\n`)
})

test('long texts are cut to the width of their box', async () => {
  const long = entity('x'.repeat(300), 'shop', [{ name: 'id', type: 'y'.repeat(300) }])
  const { nodes } = await layoutOf(diagramOf([long], null))
  expect(nodes[0]?.width).toBe(260)
  expect(nodes[0]?.label).toMatch(/^x{20,40}…$/)
})

test('what takes too long to lay out is not drawn: many entities, or many references of few', () => {
  const many = (count: number, references: number) =>
    Array.from({ length: count }, (_, n) => {
      const fields = Array.from({ length: references }, (_, at) => ({
        ...{ name: `r${at}`, type: 'string', reference: `E${(n + at) % count}` },
      }))
      return entity(`E${n}`, 'shop', [{ name: 'id', type: 'string' }, ...fields])
    })
  expect(isTooLarge(diagramOf(many(250, 1), null))).toBe(false)
  expect(isTooLarge(diagramOf(many(251, 0), null))).toBe(true)
  expect(isTooLarge(diagramOf(many(30, 14), null))).toBe(true)
})

test('a saved drawing is XML, whatever a label has', async () => {
  const odd = { ...entity('Odd', 'shop', []), label: `a\ufffe\uffff\ud83d\u0000${'😀'.repeat(40)}` }
  const svg = svgFile(await layoutOf(diagramOf([odd], null)))
  expect(svg).not.toMatch(/[\p{Cs}\ufffe\uffff\0]/u)
})
