import { expect, test } from 'vitest'
import type { TypeDefinition } from '@/lib/definitions/definition'
import type { PlannedFile } from '../plugin-file'
import { refuseTypeCycles } from './cycles'

const type = (name: string, baseType: string) => ({ name, baseType, meta: {} }) as TypeDefinition
const failures = (archive: TypeDefinition[], installed: TypeDefinition[]) =>
  refuseTypeCycles(
    archive.map(
      (one) =>
        ({ failure: null, definitions: { kind: 'type', items: [one] } }) as unknown as PlannedFile,
    ),
    installed,
  ).map(({ failure }) => failure?.details[0]?.message ?? null)

test('types based on each other are refused, and no others', () => {
  const archive = [
    type('A', 'B'),
    type('B', 'a'),
    type('C', 'A'),
    type('D', 'D'),
    type('E', 'text'),
  ]
  expect(failures(archive, [])).toEqual([
    expect.stringContaining('based on each other'),
    expect.stringContaining('based on each other'),
    null,
    expect.stringContaining('based on each other'),
    null,
  ])
})

test('a new version of an installed type counts instead of it', () => {
  expect(failures([type('A', 'B')], [type('A', 'text'), type('B', 'A')])).toEqual([
    expect.stringContaining('based on each other'),
  ])
  expect(failures([type('A', 'text')], [type('A', 'B'), type('B', 'A')])).toEqual([null])
})
