import { sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { install } from '@/app/api/plugins/testing/plugin-api'
import {
  LOANS,
  LOANS_ID,
  restore,
  SHOP,
  SHOP_ID,
  uninstall,
} from '@/app/api/plugins/testing/uninstall-api'
import { DELETE as EMPTY } from '@/app/api/trash/[batchId]/route'
import { sweepComments } from '@/lib/comments/sweep-comments'
import { installTestEntity } from '@/lib/testing/entity'
import { call } from '@/lib/testing/request'
import { DELETE } from '../route'
import {
  deps,
  type Headers,
  list,
  person,
  storedComments,
  textsOf,
  written,
} from './testing/remarks'

let ann: Headers

beforeEach(async () => {
  ann = await person('ann@example.com', ['ADMIN'])
})

const order = (changes: object = {}, properties: object[] = [], records: object[] = []) =>
  installTestEntity(
    deps,
    { entity: { name: 'Order', ...changes }, schema: { properties } },
    records,
  )

/** Deletes a record; returns the batch of the trash. */
async function remove(entity: string, id: string, undo?: string): Promise<string> {
  const { status, text, body } = await call(deps, DELETE, {
    method: 'DELETE',
    path: `/api/entities/${entity}/${id}${undo ? `?undo=${undo}` : ''}`,
    headers: ann,
    params: { entityName: entity, id },
  })
  if (status !== 200) throw new Error(text)
  return body.meta.batchId
}

const empty = (batchId: string) =>
  call(deps, EMPTY, {
    method: 'DELETE',
    path: `/api/trash/${batchId}`,
    as: 'ADMIN',
    params: { batchId },
  })

const sent = (parts: object) => Buffer.from(JSON.stringify(parts)).toString('base64url')

describe('comments of a record', () => {
  test('that comes back from the trash are there again', async () => {
    await order({}, [], [{ id: 1 }, { id: 2 }])
    await written(ann, 'Kept')
    const batch = await remove('Order', '1', '7d')
    expect((await list(ann)).status).toBe(404)
    expect(await sweepComments(deps)).toBe(0)
    expect((await restore(deps, batch)).status).toBe(200)
    expect(await textsOf(ann)).toEqual(['Kept'])
  })

  test('that is gone for good go with it', async () => {
    await order({}, [], [{ id: 1 }, { id: 2 }, { id: 3 }])
    for (const id of ['1', '2', '3']) await written(ann, `Of ${id}`, { id })
    await remove('Order', '1')
    const batch = await remove('Order', '2', '7d')
    expect(await sweepComments(deps)).toBe(1)
    expect((await empty(batch)).status).toBe(200)
    expect(await sweepComments(deps)).toBe(1)
    expect(await sweepComments(deps)).toBe(0)
    expect(await textsOf(ann, { id: '3' })).toEqual(['Of 3'])
  })

  test('are looked through in parts', async () => {
    await order({}, [], [{ id: 1 }])
    await written(ann, 'Kept')
    await deps.db.execute(sql`insert into engine.record_comments (relation, key, text, author_type, author_name)
      select relation, n::text, 'gone', author_type, author_name from engine.record_comments, generate_series(2, 450) as n`)
    expect(await sweepComments(deps)).toBe(449)
    expect(await textsOf(ann)).toEqual(['Kept'])
  })

  test('stay where rows of the trash no longer fit the table', async () => {
    await order({}, [{ name: 'n', type: 'string' }], [{ id: 1, n: 'x' }])
    await written(ann, 'Kept')
    await remove('Order', '1', '7d')
    await order({}, [{ name: 'n', type: 'integer' }])
    expect(await sweepComments(deps)).toBe(0)
  })

  test('follow new names of the entity, and the type of its key', async () => {
    await order({}, [], [{ id: 1 }])
    await written(ann, 'Kept')
    await order({ name: 'Purchase', renamedFrom: ['Order'] })
    expect(await textsOf(ann, { entity: 'Purchase' })).toEqual(['Kept'])
    await order({ name: 'Purchase', pks: [{ key: 'id', strategy: 'Fixed', type: 'string' }] })
    expect(await textsOf(ann, { entity: 'Purchase' })).toEqual(['Kept'])
    expect(await sweepComments(deps)).toBe(0)
  })

  test('follow new names and types of the parts of a key', async () => {
    const key = (name: string, type: string) => ({ key: name, strategy: 'Fixed', type })
    const shop = (name: string, more: object = {}) => ({
      name,
      type: 'string',
      required: true,
      ...more,
    })
    await order(
      { pks: [key('shop', 'string'), key('n', 'number')] },
      [shop('shop')],
      [{ shop: 'ü"1', n: 7 }],
    )
    await written(ann, 'Kept', { id: sent({ shop: 'ü"1', n: 7 }) })
    expect(await sweepComments(deps)).toBe(0)
    await order({ pks: [key('store', 'string'), key('n', 'string')] }, [
      shop('store', { renamedFrom: ['shop'] }),
    ])
    const id = sent({ store: 'ü"1', n: '7' })
    expect(await textsOf(ann, { id })).toEqual(['Kept'])
    expect(await sweepComments(deps)).toBe(0)
    const batch = await remove('Order', id, '7d')
    expect(await sweepComments(deps)).toBe(0)
    await empty(batch)
    expect(await sweepComments(deps)).toBe(1)
  })
})

describe('comments of a plugin that is uninstalled', () => {
  beforeEach(async () => {
    await install(deps, SHOP)
    await install(deps, LOANS)
    await written(ann, 'Of a loan', { entity: 'Loan' })
    await written(ann, 'Of a book', { entity: 'Book' })
  })

  test('are there again when it comes back', async () => {
    const { batchId } = (await uninstall(deps, LOANS_ID)).body.data[0]
    expect((await list(ann, { entity: 'Loan' })).status).toBe(404)
    expect(await sweepComments(deps)).toBe(0)
    await restore(deps, batchId)
    expect(await textsOf(ann, { entity: 'Loan' })).toEqual(['Of a loan'])
  })

  test('go with what it had, and are not those of another of the name', async () => {
    const { batchId } = (await uninstall(deps, SHOP_ID, `?with=${LOANS_ID}`)).body.data[0]
    await install(deps, SHOP)
    expect(await textsOf(ann, { entity: 'Book' })).toEqual([])
    expect((await empty(batchId)).status).toBe(200)
    expect(await sweepComments(deps)).toBe(2)
    expect(await storedComments()).toBe(0)
  })
})
