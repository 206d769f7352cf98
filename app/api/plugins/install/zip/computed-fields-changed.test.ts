import { describe, expect, test } from 'vitest'
import { PUT as REPLACE } from '@/app/api/entities/[entityName]/batch/route'
import { call } from '@/lib/testing/request'
import { decimal, label, sources, things, total, v1 } from '../../testing/computed-fields'
import { install } from '../../testing/plugin-api'
import { deps, installed, logOf, SCHEMA, search, version } from '../../testing/versions'

const replaceAll = (body: object[]) =>
  call(deps, REPLACE, {
    method: 'PUT',
    path: '/api/entities/Thing/batch',
    params: { entityName: 'Thing' },
    body,
    as: 'ADMIN',
  })

describe('a computed field', () => {
  test('is accepted as it was read, by each way to change a record', async () => {
    await installed(v1(total('n * 2.50'), label("concat(first, ' ', last)")))
    const record = async () => (await things.read(1)).body.data[0]
    for (const change of [
      async () => things.replace(1, { ...(await record()), first: 'Other' }),
      async () => things.change(1, { ...(await record()), n: 4 }),
      async () =>
        replaceAll([
          { id: 2, n: 7 },
          { ...(await record()), last: 'Two' },
        ]),
    ])
      expect(await change()).toMatchObject({ status: 200 })
    expect(await record()).toMatchObject({ total: 10, label: 'Other Two' })
    for (const refused of [
      await things.replace(1, { ...(await record()), total: 11 }),
      await things.change(1, { label: 'Mine' }),
      await replaceAll([
        { id: 2, n: 7 },
        { ...(await record()), total: 11 },
      ]),
    ])
      expect(refused).toMatchObject({
        status: 400,
        body: { validations: [{ error: expect.stringContaining('is computed') }] },
      })
  })

  test('changes with the definition: its expression, its type, and those of its fields', async () => {
    await installed(v1(total('n * 2')))
    await installed(version({ properties: [...sources, total('n * 3')] }))
    expect(await search()).toMatchObject([{ total: 9 }, { total: 0 }])
    const wider = [decimal('n'), ...sources.slice(1)]
    await installed(version({ properties: [...wider, total('n * 3')] }))
    await things.change(1, { n: 1.5 })
    expect(await search()).toMatchObject([{ total: 4.5 }, { total: 0 }])
    const renamed = [decimal('count', { renamedFrom: 'n' }), ...sources.slice(1)]
    await installed(version({ properties: [...renamed, total('count * 3')] }))
    expect(await search()).toMatchObject([{ total: 4.5 }, { total: 0 }])
    await installed(version({ properties: [...renamed, decimal('total')] }))
    expect((await things.change(1, { total: 7 })).body.data).toMatchObject([{ total: 7 }])
    const { logs } = await install(deps, version({ properties: [...renamed, total('count * 3')] }))
    expect(logOf(logs, SCHEMA)).toMatchObject({ error: 'Incompatible change', detailCount: 2 })
    await installed(version({ properties: renamed }))
  })
})
