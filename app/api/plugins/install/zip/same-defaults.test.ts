import { describe, expect, test } from 'vitest'
import { pluginFiles } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { install, upload } from '../../testing/plugin-api'
import { recordsOf } from '../../testing/records'

const deps = freshDeps()

const seats = (records: object[], insertDuplicate = 'Error') =>
  pluginFiles({
    EngineEntities: { files: { 'Seat.json': { name: 'Seat' } } },
    EngineSchemas: {
      files: {
        'Seat.json': {
          name: 'Seat',
          properties: [
            { name: 'code', type: 'string', unique: true, default: 'free' },
            { name: 'row', type: 'integer' },
          ],
        },
      },
    },
    Seat: { manifest: { target: 'Seat', insertDuplicate }, files: { 'data.json': records } },
  })

describe('records that get the same default in a unique field', () => {
  test.each(['Error', 'Upsert', 'Ignore'])(
    'are a conflict that names both, with %s',
    async (mode) => {
      const files = seats(
        [{ row: 1 }, { row: 2, code: 'x' }, { row: 3 }, { row: 4, code: 'free' }],
        mode,
      )
      const { body } = await upload(deps, files, { query: '?dryRun=true' })
      const { logs } = await install(deps, files)
      for (const file of [body.data.plan.files.at(-1), logs.at(-1)])
        expect(file).toMatchObject({
          error: 'Conflict Issue!',
          details: [2, 3].map((index) => ({
            index,
            pointer: '/code',
            value: 'free',
            message: '"code" must be unique: "free" is also in record number 1',
          })),
        })
    },
  )

  test('as a stored one are told apart from it', async () => {
    await install(deps, seats([{ id: 1, row: 1 }]))
    const next = seats(
      [
        { id: 1, row: 5 },
        { id: 2, row: 2 },
      ],
      'Upsert',
    )
    expect((await install(deps, next)).logs.at(-1)).toMatchObject({
      error: 'Conflict Issue!',
      detailCount: 1,
      details: [{ index: 1, message: '"code" must be unique: "free" exists already' }],
    })
    expect(await recordsOf(deps, 'Seat').create({ row: 9 })).toMatchObject({
      status: 409,
      body: { validations: [{ field: 'code' }] },
    })
  })
})
