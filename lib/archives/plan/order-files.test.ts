import { describe, expect, test } from 'vitest'
import type { PlannedFile } from '../plugin-file'
import { findCycle } from './cycles'
import { orderFiles, orderTargets } from './order-files'

const target = (name: string, dependencies: string[] = [], references: string[] = []) => ({
  name,
  path: `${name}/data.json`,
  dependencies,
  references,
})

describe('orderTargets', () => {
  test.each([
    ['path order among equals', [target('B'), target('A')], ['A', 'B']],
    ['dependencies first', [target('A', ['C']), target('B'), target('C')], ['B', 'C', 'A']],
    [
      'references first',
      [
        target('Airport', [], ['Country', 'Region']),
        target('Region', [], ['Country']),
        target('Country'),
      ],
      ['Country', 'Region', 'Airport'],
    ],
    [
      'a cycle of references is broken by path',
      [target('B', [], ['A']), target('A', [], ['B'])],
      ['A', 'B'],
    ],
    [
      'a dependency outweighs a reference',
      [target('A', ['B'], []), target('B', [], ['A'])],
      ['B', 'A'],
    ],
    ['a reference to itself does not matter', [target('A', [], ['A'])], ['A']],
    [
      'a reference to itself does not delay it',
      [target('A', [], ['B']), target('B', [], ['B'])],
      ['B', 'A'],
    ],
    ['others than the targets do not matter', [target('A', ['EngineEntities'], ['Gone'])], ['A']],
  ])('%s', (_, targets, order) => {
    expect(orderTargets(targets)).toEqual(order)
  })
})

describe('orderFiles', () => {
  const file = (name: string, baseType: string) =>
    ({
      path: `EngineTypes/${name}.json`,
      target: 'EngineTypes',
      kind: 'type',
      definitions: { kind: 'type', items: [{ name, baseType, meta: {} }] },
      content: { dependencies: [] },
    }) as unknown as PlannedFile

  test('puts types after those they are based on, else by path', () => {
    const files = [file('A', 'c'), file('B', 'string'), file('C', 'D'), file('D', 'text')]
    const names = orderFiles(files, []).map(({ path }) => path.slice(12, 13))
    expect(names).toEqual(['B', 'D', 'C', 'A'])
  })

  test('puts records after those that they refer to, by a schema of another name, too', () => {
    const properties = [{ name: 'owner', rules: { reference: { entity: 'Person' } } }]
    const definitions = [
      { kind: 'schema', items: [{ name: 'Shape', properties }] },
      { kind: 'entity', items: [{ name: 'Dog', engineSchema: 'Shape' }, { name: 'Person' }] },
    ].map((one) => ({ path: one.kind, target: one.kind, kind: one.kind, definitions: one }))
    const data = ['Dog', 'Person'].map((name) => ({ path: name, target: name, kind: 'data' }))
    const files = [...data, ...definitions] as unknown as PlannedFile[]
    const paths = orderFiles(files, []).map(({ path }) => path)
    expect(paths).toEqual(['schema', 'entity', 'Person', 'Dog'])
  })

  test('ends in a cycle of types', () => {
    const files = [file('A', 'B'), file('B', 'A'), file('C', 'C')]
    expect(orderFiles(files, [])).toHaveLength(3)
  })
})

describe('findCycle', () => {
  test.each([
    [{ A: ['B'], B: ['C'], C: [] }, null],
    [{ A: ['A'] }, ['A', 'A']],
    [{ A: ['B'], B: ['C'], C: ['A'] }, ['A', 'B', 'C', 'A']],
    [{ A: ['B', 'C'], B: ['D'], C: ['D'], D: [] }, null],
    [{ X: ['A'], A: ['B'], B: ['A'] }, ['A', 'B', 'A']],
  ])('of %j is %j', (dependencies, cycle) => {
    expect(findCycle(new Map(Object.entries(dependencies)))).toEqual(cycle)
  })

  test('a chain of 50,000 does not exhaust the stack', () => {
    const chain = Array.from({ length: 50_000 }, (_, n) => [`T${n}`, [`T${n + 1}`]] as const)
    expect(findCycle(new Map(chain))).toBeNull()
  })
})
