import { expect, it } from 'vitest'
import { fieldGroups } from './field-groups'
import type { ColumnDescription } from './types'

const column = (name: string, part: Partial<ColumnDescription> = {}): ColumnDescription => ({
  name,
  label: null,
  description: null,
  type: 'string',
  kind: 'text',
  key: false,
  declared: true,
  hidden: false,
  operators: [],
  rules: {},
  ...part,
})

it('puts what the server keeps last, after the fields that no definition has', () => {
  const columns = [
    column('CreatedAt'),
    column('id', { key: true }),
    column('LastUpdatedBy'),
    column('createdOn', { kind: 'date' }),
    column('version', { kind: 'integer' }),
    column('note', { declared: false }),
    column('name'),
  ]
  const groups = fieldGroups(columns)
  expect(groups.map(({ title, quiet }) => [title, quiet])).toEqual([
    [null, false],
    ['Not in the definition', false],
    ['History', true],
  ])
  expect(groups.map((group) => group.columns.map(({ name }) => name))).toEqual([
    ['id', 'createdOn', 'name'],
    ['note'],
    ['CreatedAt', 'LastUpdatedBy', 'version'],
  ])
})

it('leaves a version in words, a key and a word that only begins alike where they are', () => {
  const columns = [column('version'), column('createdAt', { key: true }), column('createdAtlas')]
  expect(fieldGroups(columns)).toEqual([{ title: null, quiet: false, columns }])
})
