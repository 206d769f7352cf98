import { expect, test } from 'vitest'
import { firstGroups, groupEntities, linesOfGroups } from './group-entities'

const of = (name: string, pluginId: string | null) => ({ name, pluginId })

test('entities stand by plugin in natural order, those without one last', () => {
  const names: Record<string, string> = { b: 'Acme', a: 'Zebra' }
  const entities = [of('Part10', 'a'), of('Part2', 'a'), of('Own', null), of('Order', 'b')]
  const groups = groupEntities(entities, (id) => names[id] ?? id)
  expect(
    groups.map(({ plugin, entities: list }) => [plugin, list.map(({ name }) => name)]),
  ).toEqual([
    ['b', ['Order']],
    ['a', ['Part2', 'Part10']],
    ['', ['Own']],
  ])
})

test('groups share the lines; one line more is shown rather than announced', () => {
  expect(linesOfGroups([14])).toEqual([14])
  expect(linesOfGroups([200])).toEqual([14])
  expect(linesOfGroups([15])).toEqual([15])
  expect(linesOfGroups([5, 4, 3, 2, 9])).toEqual([3, 4, 3, 2, 3])
})

test('eight groups are shown at first, and that of the open entity', () => {
  const groups = Array.from({ length: 12 }, (_, i) => ({
    plugin: `${i}`,
    entities: [of(`E${i}`, null)],
  }))
  const shown = (open: string | null) => firstGroups(groups, open).map(({ plugin }) => plugin)
  expect(shown(null)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7'])
  expect(shown('E10')).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '10'])
})
