import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DELETE } from '@/app/api/entities/[entityName]/batch/route'
import { allow, clerk, deps } from '@/app/api/entities/[entityName]/testing/branches'
import { rows } from '@/lib/db/sql'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { POST as RESTORE } from './[batchId]/restore/route'

const to = (entity: string, more: object = {}) => ({
  reference: { entity, field: `${entity.toLowerCase()}Id`, ...more },
})

/** Things in boxes, which lose their box when it is deleted, and belong to persons of cities. */
async function install(changes: object): Promise<void> {
  const define = (name: string, properties: object[], records: object[]) => {
    const pks = [{ key: `${name.toLowerCase()}Id`, strategy: 'Fixed', type: 'string' }]
    return installTestEntity(
      deps,
      { entity: { name, pks, ...changes }, schema: { properties } },
      records,
    )
  }
  const city = [{ name: 'city', type: 'string' }]
  for (const name of ['Person', 'Box']) {
    const key = `${name.toLowerCase()}Id`
    await define(name, city, [
      { [key]: 'x', city: 'Graz' },
      { [key]: 'y', city: 'Linz' },
    ])
  }
  await define(
    'Thing',
    [
      { name: 'box', type: 'string', meta: to('Box', { onDelete: 'setNull' }) },
      { name: 'person', type: 'string', meta: to('Person') },
    ],
    [
      { thingId: 'a', box: 'x', person: 'x' },
      { thingId: 'b', box: 'y', person: 'y' },
    ],
  )
}

test.each([{}, { distribution: 'reference' }])(
  'references come back to records that policies let the caller change, of entities with %o',
  async (changes) => {
    await install(changes)
    const own = (field: string) => [{ field, operator: 'eq', value: '$me.profile.city' }]
    const all = { actions: ['read', 'write', 'update', 'delete'] }
    await allow({ entities: ['Thing'], ...all, where: own('person.city') })
    await allow({ entities: ['Box'], ...all, where: own('city') })
    const headers = await clerk({ city: 'Graz' })
    const boxes = () =>
      rows(deps.db, sql`select "thingId" as id, box from entities.thing order by 1`)
    const deleted = await call(deps, DELETE, {
      ...{ method: 'DELETE', path: '/api/entities/Box/batch?undo=7d', headers },
      ...{ params: { entityName: 'Box' }, body: { entity: 'Box', query: [] } },
    })
    expect(deleted.body.data).toEqual([{ effected: 1 }])
    expect(await boxes()).toMatchObject([{ box: null }, { box: 'y' }])
    const { batchId } = deleted.body.meta
    const restored = await call(deps, RESTORE, {
      ...{ method: 'POST', path: `/api/trash/${batchId}/restore`, headers, params: { batchId } },
    })
    expect(restored.body.data).toEqual([{ restored: 1, conflicts: [] }])
    expect(await boxes()).toMatchObject([{ box: 'x' }, { box: 'y' }])
  },
)
