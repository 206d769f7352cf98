import { beforeEach, describe, expect, test } from 'vitest'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { startTown } from '../advice/testing/town'

const deps = freshDeps()

let town: Awaited<ReturnType<typeof startTown>>
beforeEach(async () => {
  town = await startTown(deps)
})

describe.runIf(testsOnCitus())('a unique index of records on the nodes of a cluster', () => {
  test('is refused without the key by which they are distributed, with what to do', async () => {
    const { status, body } = await town.create({ fields: ['country'], unique: true })
    expect(status).toBe(409)
    expect(body.error).toContain('add id to the index, or make Town a reference table')
    expect((await town.advice()).meta.indexes).toEqual([])
  })

  test('is built with it', async () => {
    expect((await town.create({ fields: ['country', 'id'], unique: true })).status).toBe(202)
    await town.built()
    expect((await town.advice()).meta.indexes).toMatchObject([{ state: 'ready', error: null }])
  })
})
