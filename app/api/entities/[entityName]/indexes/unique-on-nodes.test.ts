import { beforeEach, describe, expect, test } from 'vitest'
import { freshDeps, testsOnCitus } from '@/lib/testing/deps'
import { startAdviceApi } from '../advice/testing/advice-api'

const deps = freshDeps()

let api: Awaited<ReturnType<typeof startAdviceApi>>
beforeEach(async () => {
  api = await startAdviceApi(deps)
})

describe.runIf(testsOnCitus())('a unique index of records on the nodes of a cluster', () => {
  test('is refused without the key by which they are distributed, with what to do', async () => {
    const { status, body } = await api.create({ fields: ['country'], unique: true })
    expect(status).toBe(409)
    expect(body.error).toContain('add id to the index, or make Town a reference table')
    expect((await api.advice()).meta.indexes).toEqual([])
  })

  test('is built with it', async () => {
    expect((await api.create({ fields: ['country', 'id'], unique: true })).status).toBe(202)
    await api.built()
    expect((await api.advice()).meta.indexes).toMatchObject([{ state: 'ready', error: null }])
  })
})
