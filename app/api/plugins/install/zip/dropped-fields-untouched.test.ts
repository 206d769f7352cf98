import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { drift, RECORDS } from '../../testing/generated-values'
import { installAsPlanned } from '../../testing/install-as-planned'
import { deps, installed, integer, search, text, version } from '../../testing/versions'

const former = () => version({ properties: [text('name'), integer('price')], records: RECORDS })
const next = (records: object[] = RECORDS.map(({ price: _, ...record }) => record)) =>
  version({ properties: [text('name')], records })
const ids = async () => (await search({ fields: ['id'] })).map(({ id }: { id: number }) => id)

describe('records with a field that a new version no longer declares', () => {
  test('are as given, and deleted when the archive no longer has them', async () => {
    await installed(former())
    await installed(next())
    expect(await drift()).toEqual([])
    await installAsPlanned(deps, next([{ id: 3, name: 'Fork' }]), '&removed=delete')
    expect(await ids()).toEqual([3])
  })

  test('are edited where that field was changed before, or is given as an undeclared one', async () => {
    await installed(former())
    await deps.db.execute(sql`update entities.thing set price = 8 where id = 1`)
    await installed(next())
    await deps.db.execute(sql`update entities.thing set "$extra" = '{"price": 9}' where id = 2`)
    expect(await drift()).toMatchObject([{ key: '1' }, { key: '2', fields: [{ ours: 9 }] }])
    await installAsPlanned(deps, next([{ id: 4 }]), '&removed=delete')
    expect(await ids()).toEqual([1, 2, 4])
  })
})
