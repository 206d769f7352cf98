import { beforeEach, describe, expect, test } from 'vitest'
import { allow, clerk, defineOrders } from '../testing/branches'
import { ALL, OWN, ofBranch, send, stored, told } from '../testing/clerks'

const total = (value: number) => [{ field: 'total', operator: 'gte', value }]

describe('edits', () => {
  test('change, count and show what is shown and covered', async () => {
    const headers = await ofBranch()
    const dry = await send(headers, 'PATCH', '/batch?dryRun=true', { set: { total: 9 } })
    expect(dry.body.data).toEqual([{ effected: 2 }])
    expect(dry.body.meta.sample.map(({ key }: { key: number }) => key)).toEqual([1, 2])
    const wrong = await send(headers, 'PATCH', '/batch?expected=5', { set: { total: 9 } })
    expect(wrong.body.meta).toMatchObject({ expected: 5, found: 2 })
    const query = total(20)
    const some = await send(headers, 'PATCH', '/batch?expected=1', { query, set: { total: 9 } })
    expect(some.body.data).toEqual([{ effected: 1 }])
    expect([(await stored(2))?.total, (await stored(4))?.total]).toEqual([9, 40])
    await allow({ entities: ['Order'] })
    const covered = await send(headers, 'PATCH', '/batch?undo=7d', { set: { total: 8 } })
    expect(covered.body.data).toEqual([{ effected: 2 }])
    expect((await stored(5))?.total).toBe(50)
  })

  test('by what records refer to', async () => {
    const where = [{ field: 'branch.region', operator: 'eq', value: '$me.profile.region' }]
    await allow({ entities: ['Order'], actions: ALL, where })
    const headers = await clerk({ region: 'south' })
    const body = { query: total(45), set: { total: 1 } }
    const edited = await send(headers, 'PATCH', '/batch?undo=7d', body)
    expect(edited.body.data).toEqual([{ effected: 1 }])
    expect((await send(headers, 'PATCH', '/batch', { set: { branch: 'N1' } })).status).toBe(403)
    expect((await stored(4))?.branch).toBe('S1')
  })

  test('must leave records that the policy allows', async () => {
    const headers = await ofBranch()
    const moved = await send(headers, 'PATCH', '/batch', { set: { branch: 'S1' } })
    expect(moved.status).toBe(403)
    expect((await stored(1))?.branch).toBe('N1')
  })

  test('know nothing of hidden fields, in conditions, values and sources', async () => {
    await allow({ entities: ['Order'], actions: ALL, fields: { except: ['margin', 'remark'] } })
    const headers = await clerk()
    for (const body of [
      { query: [{ field: 'margin', operator: 'gt', value: 1 }], set: { total: 1 } },
      { query: [{ field: 'remark', operator: 'eq', value: 'two' }], set: { total: 1 } },
      { set: { margin: 1 } },
      { set: { remark: 'x' } },
      { set: { total: { $field: 'margin' } } },
      { set: { note: { $field: 'remark' } } },
      { set: { margin: { $increment: 1 } } },
    ]) {
      const refused = await send(headers, 'PATCH', '/batch', body)
      expect([body, refused.status]).toEqual([body, 400])
    }
    const near = await send(headers, 'PATCH', '/batch', { set: { total: { $field: 'margins' } } })
    expect(near.text.replaceAll('margins', '')).not.toContain('margin')
    expect((await stored(1))?.margin).toBe(1)
  })

  test('name fields that may be read but not written, and those open in some records only', async () => {
    await allow({ entities: ['Order'] })
    await allow({ entities: ['Order'], actions: ['update'], fields: ['total', 'branch'] })
    await allow({ entities: ['Order'], actions: ['update'], where: OWN, fields: ['margin'] })
    const headers = await clerk({ branch: 'N1' })
    const closed = await send(headers, 'PATCH', '/batch', { set: { note: 'x' } })
    expect([closed.status, closed.body.validations[0].field]).toEqual([403, 'set.note'])
    const some = await send(headers, 'PATCH', '/batch', { set: { margin: 7 } })
    expect([some.status, some.body.validations[0].field]).toEqual([403, 'set.margin'])
    const query = [{ field: 'branch', operator: 'eq', value: 'N1' }]
    expect((await send(headers, 'PATCH', '/batch', { query, set: { margin: 7 } })).status).toBe(200)
    const moved = await send(headers, 'PATCH', '/batch', {
      query,
      set: { margin: 8, branch: 'S1' },
    })
    expect(moved.status).toBe(403)
    expect((await stored(1))?.margin).toBe(7)
  })

  test('get what policies set, and tell nothing of it', async () => {
    await allow({ entities: ['Order'], fields: { except: ['ownerId'] } })
    const set = { ownerId: '$me', total: 5 }
    await allow({ entities: ['Order'], actions: ['update'], fields: ['note', 'total'], set })
    const headers = await clerk()
    const dry = await send(headers, 'PATCH', '/batch?dryRun=true', { set: { note: 'x', total: 9 } })
    expect(dry.body.meta.sample[0]).toMatchObject({ after: { note: 'x', total: 5 } })
    expect(dry.text).not.toContain('ownerId')
    const edited = await send(headers, 'PATCH', '/batch', { set: { note: 'x', total: 9 } })
    expect(edited.body.meta).toMatchObject({ updated: 5, unchanged: 0 })
    expect(await stored(1)).toMatchObject({ total: 5, ownerId: expect.stringMatching(/-/) })
    // Whether a hidden value was the same already is not told.
    const again = await send(headers, 'PATCH', '/batch', { set: { note: 'x' } })
    expect(again.body.meta).toMatchObject({ updated: 5, unchanged: 0 })
  })

  test('are made of fields that each record shows', async () => {
    await allow({ entities: ['Order'], fields: ['branch', 'total'] })
    await allow({ entities: ['Order'], where: OWN })
    await allow({ entities: ['Order'], actions: ['update'] })
    const headers = await clerk({ branch: 'N1' })
    for (const set of [{ total: { $field: 'margin' } }, { margin: { $increment: 1 } }])
      expect((await send(headers, 'PATCH', '/batch', { set })).status).toBe(403)
    const edited = await send(headers, 'PATCH', '/batch', { set: { total: { $increment: 1 } } })
    expect(edited.status).toBe(200)
  })
})

describe('deletions', () => {
  test('take and count what is shown and covered', async () => {
    await allow({ entities: ['Order'] })
    const headers = await ofBranch({ actions: ['delete'] })
    const dry = await send(headers, 'DELETE', '/batch?dryRun=true', {})
    expect(dry.body.data).toEqual([{ effected: 2 }])
    const wrong = await send(headers, 'DELETE', '/batch?expected=5', {})
    expect(wrong.body.meta).toMatchObject({ expected: 5, found: 2 })
    const some = await send(headers, 'DELETE', '/batch', { query: total(20) })
    expect(some.body.data).toEqual([{ effected: 1 }])
    const kept = await send(headers, 'DELETE', '/batch?undo=7d', {})
    expect(kept.body.data).toEqual([{ effected: 1 }])
    expect((await send(headers, 'DELETE', '/batch', {})).body.data).toEqual([{ effected: 0 }])
    expect(await stored(3)).toBeDefined()
  })

  test('know nothing of hidden fields and rows', async () => {
    const headers = await ofBranch({ fields: { except: ['margin'] } })
    const query = [{ field: 'margin', operator: 'gte', value: 0 }]
    expect((await send(headers, 'DELETE', '/batch', { query })).status).toBe(400)
    const all = await send(headers, 'DELETE', '/batch', { query: total(0) })
    expect(all.body.data).toEqual([{ effected: 2 }])
    expect(await stored(4)).toBeDefined()
  })
})

describe('on every node of a cluster', () => {
  const note = { field: 'note', operator: 'starts', value: 'o' }
  const remark = { field: 'remark', operator: 'eq', value: 'two' }
  beforeEach(() => defineOrders({ distribution: 'reference' }))

  test('edits reach what records refer to, and take values apart', async () => {
    const where = [{ field: 'branch.region', operator: 'eq', value: '$me.profile.region' }]
    await allow({ entities: ['Order'], actions: ALL, where })
    const headers = await clerk({ region: 'north' })
    const query = [{ operator: 'or', filters: [note, remark, { ...note, value: 'four' }] }]
    const edited = await send(headers, 'PATCH', '/batch?undo=7d', { query, set: { total: 7 } })
    expect(edited.body.data).toEqual([{ effected: 2 }])
    expect((await stored(4))?.total).toBe(40)
  })

  test('deletions compare fields that some records hide', async () => {
    await allow({ entities: ['Order'], actions: ALL })
    await allow({ entities: ['Order'], allow: false, where: OWN, fields: ['note'] })
    const headers = await clerk({ branch: 'N1' })
    for (const [query, effected] of [
      [[remark], 1],
      [[note], 0],
      [[{ ...note, value: 'th' }], 1],
    ] as const) {
      const dry = await send(headers, 'DELETE', '/batch?dryRun=true', { query })
      const deleted = await send(headers, 'DELETE', '/batch?undo=7d', { query })
      expect([dry.body.data, deleted.body.data]).toEqual([[{ effected }], [{ effected }]])
    }
    expect(await stored(1)).toBeDefined()
  })
})

describe('a record', () => {
  test('that is hidden can be deleted no more than one that does not exist', async () => {
    const headers = await ofBranch()
    const [hidden, none] = [
      await send(headers, 'DELETE', '/4'),
      await send(headers, 'DELETE', '/400'),
    ]
    expect([hidden.status, none.status]).toEqual([404, 404])
    expect(told(hidden)).toBe(told(none).replaceAll('400', '4'))
    await allow({ entities: ['Order'] })
    expect((await send(headers, 'DELETE', '/4')).status).toBe(403)
    expect((await send(headers, 'DELETE', '/1')).status).toBe(200)
    expect(await stored(4)).toBeDefined()
  })

  test('is deleted by the version that the caller reads', async () => {
    const headers = await ofBranch({ fields: { except: ['margin'] } })
    const etag = (await send(headers, 'GET', '/1')).headers.get('etag') ?? ''
    const ifMatch = { headers: { 'if-match': etag } }
    expect((await send(headers, 'DELETE', '/2', undefined, ifMatch)).status).toBe(412)
    expect((await send(headers, 'DELETE', '/1', undefined, ifMatch)).status).toBe(200)
  })
})
