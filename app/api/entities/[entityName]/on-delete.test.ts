import { describe, expect, test } from 'vitest'
import { recordsOf } from '@/app/api/plugins/testing/records'
import { POST as RESTORE } from '@/app/api/trash/[batchId]/restore/route'
import { GET as TRASH } from '@/app/api/trash/route'
import { freshDeps, testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import { DELETE } from './[id]/route'
import { DELETE as DELETE_MANY } from './batch/route'
import { POST as SEARCH } from './search/route'

const deps = freshDeps()

const PKS = [{ key: 'id', strategy: 'Fixed', type: 'number' }]
const number = (name: string, reference?: object, meta: object = {}) => ({
  name,
  type: 'decimal',
  ...meta,
  ...(reference ? { reference } : {}),
})
const to = (entity: string, onDelete?: string) => ({
  entity,
  field: 'id',
  ...(onDelete ? { onDelete } : {}),
})

/** Shelves in shelves (cascade), books on shelves (cascade), notes about books (set null), loans of books (restrict). */
async function library() {
  const define = (name: string, properties: object[], records: object[]) =>
    installTestEntity(deps, { entity: { name, pks: PKS }, schema: { properties } }, records)
  await define(
    'Shelf',
    [number('inside', to('Shelf', 'cascade'))],
    [{ id: 1 }, { id: 2, inside: 1 }, { id: 3, inside: 2 }, { id: 4 }],
  )
  await define(
    'Book',
    [number('shelf', to('Shelf', 'Cascade'), { required: true })],
    [
      { id: 1, shelf: 1 },
      { id: 2, shelf: 3 },
      { id: 3, shelf: 4 },
    ],
  )
  await define(
    'Note',
    [number('book', to('Book'), { onDelete: 'setNull' }), number('shelf', to('Shelf', 'setNull'))],
    [
      { id: 1, book: 1, shelf: 1 },
      { id: 2, book: 3, shelf: 3 },
    ],
  )
  await define('Loan', [number('book', to('Book'))], [])
}

const all = async (entityName: string) => {
  const { body } = await call(deps, SEARCH, {
    method: 'POST',
    path: `/api/entities/${entityName}/search`,
    params: { entityName },
    body: { sort: [{ field: 'id', direction: 'asc' }] },
    as: 'ADMIN',
  })
  return body.data.map(({ persistenceId: _, ...record }: Record<string, unknown>) => record)
}
const everything = async () => Promise.all(['Shelf', 'Book', 'Note', 'Loan'].map(all))

const deleteMany = (body: object, query = '', as: object = { as: 'ADMIN' }) =>
  call(deps, DELETE_MANY, {
    method: 'DELETE',
    path: `/api/entities/Shelf/batch${query}`,
    params: { entityName: 'Shelf' },
    body: { entity: 'Shelf', ...body },
    ...as,
  })
const ONE = { query: [{ field: 'id', operator: 'eq', value: 1 }] }

const EFFECTS = [
  { entity: 'Book', action: 'deleted', count: 2 },
  { entity: 'Note', field: 'book', action: 'emptied', count: 1 },
  { entity: 'Note', field: 'shelf', action: 'emptied', count: 2 },
]
const AFTER = [
  [{ id: 4, inside: null }],
  [{ id: 3, shelf: 4 }],
  [
    { id: 1, book: null, shelf: null },
    { id: 2, book: 3, shelf: null },
  ],
  [],
]

describe('a reference with onDelete', () => {
  test.each<[string, () => Promise<{ body: { meta: { effects: object[] } } }>]>([
    ['one record', () => recordsOf(deps, 'Shelf').remove(1)],
    ['one record with undo', () => recordsOf(deps, 'Shelf').remove(1, '?undo=1d')],
    ['many records', () => deleteMany(ONE)],
    ['many records with undo', () => deleteMany(ONE, '?undo=1d')],
  ])('takes along or empties what refers to the deletion of %s', async (_, remove) => {
    await library()
    const { body } = await remove()
    expect(body.meta.effects).toEqual(expect.arrayContaining(EFFECTS))
    expect(await everything()).toEqual(AFTER)
  })

  test('is predicted by a dry run, with what prevents the deletion', async () => {
    await library()
    const before = await everything()
    const preview = await deleteMany(ONE, '?dryRun=true')
    expect(preview.body.meta.effects).toEqual(expect.arrayContaining(EFFECTS))
    expect(preview.body.meta.blockedBy).toBeUndefined()
    expect(preview.body.data).toEqual([{ effected: 3 }])
    expect((await deleteMany(ONE, '?dryRun=true&expected=1')).status).toBe(409)
    expect((await deleteMany(ONE, '?dryRun=true&expected=3')).status).toBe(200)
    await recordsOf(deps, 'Loan').create({ id: 1, book: 2 })
    const blockedBy = [{ entity: 'Loan', field: 'book', count: 1 }]
    expect((await deleteMany(ONE, '?dryRun=true')).body.meta).toMatchObject({ blockedBy })
    for (const query of ['', '?undo=1d']) {
      const refused = await deleteMany(ONE, query)
      expect(refused.status).toBe(409)
      expect(refused.body.meta).toMatchObject({ blockedBy })
    }
    expect((await everything()).slice(0, 3)).toEqual(before.slice(0, 3))
  })

  test.skipIf(testsOfCore())('comes back whole from the trash', async () => {
    await library()
    const before = await everything()
    const { body } = await deleteMany(ONE, '?undo=1d')
    const trash = await call(deps, TRASH, { path: '/api/trash', as: 'ADMIN' })
    expect(trash.body.data).toMatchObject([
      { batchId: body.meta.batchId, entity: 'Shelf', count: 3 },
    ])
    const { batchId } = body.meta
    const restored = await call(deps, RESTORE, {
      method: 'POST',
      path: `/api/trash/${batchId}/restore`,
      params: { batchId },
      as: 'ADMIN',
    })
    expect(restored.body.data).toMatchObject([{ restored: 5, conflicts: [] }])
    expect(await everything()).toEqual(before)
    expect((await call(deps, TRASH, { path: '/api/trash', as: 'ADMIN' })).body.data).toEqual([])
  })

  test('needs the right to delete what goes too, and to change what is emptied', async () => {
    await library()
    const asKey = async (...scopes: string[]) => ({
      headers: {
        authorization: `Bearer ${await testKey(deps, ['EDITOR'], ['Shelf:read', 'Shelf:delete', ...scopes])}`,
      },
    })
    const few = await deleteMany(ONE, '', await asKey('Note:update'))
    expect(few).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('"Book:delete"') },
    })
    const others = await call(deps, DELETE, {
      method: 'DELETE',
      path: '/api/entities/Shelf/1',
      params: { entityName: 'Shelf', id: '1' },
      ...(await asKey('Book:delete')),
    })
    expect(others).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('"Note:update"') },
    })
    expect(await all('Shelf')).toHaveLength(4)
    const enough = await deleteMany(ONE, '', await asKey('Book:delete', 'Note:update'))
    expect(enough.body.meta.effects).toContainEqual({
      entity: 'Book',
      action: 'deleted',
      count: null,
    })
  })

  test('changes with the definition', async () => {
    await library()
    await installTestEntity(deps, {
      entity: { name: 'Book', pks: PKS },
      schema: { properties: [number('shelf', to('Shelf'), { required: true })] },
    })
    expect((await deleteMany(ONE)).status).toBe(409)
  })

  test.each([[{ required: true }, 'onDelete setNull needs a field that is not required']])(
    "that can't be carried out is refused: %j",
    async (meta, message) => {
      const schema = { properties: [number('other', to('Shelf', 'setNull'), meta)] }
      await expect(
        installTestEntity(deps, { entity: { name: 'Bad', pks: PKS }, schema }),
      ).rejects.toMatchObject({
        details: [{ message }],
      })
    },
  )
})
