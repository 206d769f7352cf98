import { expect, test } from 'vitest'
import { tableColumns, tableIndexDefinitions } from '@/lib/testing/define'
import { freshDeps } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'

const deps = freshDeps()

const field = (name: string, searchable: unknown, more: object = {}) => ({
  ...{ name, type: 'string', meta: { searchable, ...more } },
})
const install = (properties: object[], records: object[] = []) =>
  installTestEntity(deps, { entity: { name: 'Text' }, schema: { properties } }, records)
const documents = async () =>
  (await tableIndexDefinitions(deps, 'text')).filter((one) => one.includes('engine.words'))

test('what text search looks in is an index, which follows the definition and adds no column', async () => {
  const title = field('title', { weight: 'A' })
  await install([title, field('body', true)], [{ id: 1, title: 'Château', body: 'houses' }])
  const [alone, ...others] = await documents()
  expect([alone, others]).toEqual([expect.stringMatching(/simple.*title.*'A'/), []])
  await install([title, field('body', { weight: 'C', language: 'english' })])
  expect(await documents()).toEqual([expect.stringMatching(/title.*'A'.*english.*body.*'C'/)])
  await install([field('name', { weight: 'B' }, { renamedFrom: 'title' }), field('body', true)])
  expect(await documents()).toEqual([expect.stringMatching(/^(?!.*title).*name.*'B'/)])
  await install([field('name', true), field('body', true)])
  expect(await documents()).toEqual([])
  expect(Object.keys(await tableColumns(deps, 'text')).sort()).toEqual([
    '$extra',
    'body',
    'id',
    'name',
  ])
})

test.each([
  [{ weight: 'E' }, 'string'],
  [{ weight: 'A', language: 'klingon' }, 'string'],
  [{ language: 'english' }, 'string'],
  [{ weight: 'A', more: 1 }, 'string'],
  ['A', 'string'],
  [{ weight: 'A' }, 'integer'],
  [{ weight: 'A' }, 'array'],
])('%j of a field of the type %s is refused', async (searchable, type) => {
  const refused = install([{ name: 'title', type, meta: { searchable } }])
  await expect(refused).rejects.toMatchObject({ name: 'DefinitionError' })
})
