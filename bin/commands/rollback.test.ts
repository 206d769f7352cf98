import { describe, expect, test } from 'vitest'
import { addShoes, newShoes, run, runJson } from '../testing/cli'
import { runningEngine, shoeNames } from '../testing/engine'

const { deps, env } = runningEngine()

const names = () => shoeNames(deps)

describe('rollback', () => {
  test('takes back the last install, then the one before', async () => {
    const folder = await newShoes(env)
    await addShoes(folder, 4)
    await run(['install'], folder, { env })
    await addShoes(folder, 5)
    await run(['install'], folder, { env })
    const planned = await run(['rollback', '--plan'], folder, { env })
    expect([planned.code, await names()]).toEqual([0, expect.objectContaining({ length: 5 })])
    expect(await run(['rollback'], folder, { env })).toMatchObject({ code: 0 })
    expect(await names()).toHaveLength(4)
    const second = await runJson(['rollback'], folder, { env })
    expect(second).toMatchObject({ code: 0, json: { files: expect.any(Array) } })
    expect(await names()).toHaveLength(3)
  })

  test('says of definitions and entities what goes and what comes back, not of files', async () => {
    const folder = await newShoes(env)
    await addShoes(folder, 5)
    await run(['install'], folder, { env })
    const { out } = await run(['rollback', '--plan'], folder, { env })
    expect(out).toContain('Plan of a rollback of com.example.shop')
    expect(out).toMatch(/updated +Shoe {2}2 records to the trash\n/)
    expect(out).toMatch(/\n1 entity would be rolled back\nseal: /)
    const done = await run(['rollback'], folder, { env })
    expect(done.out).toMatch(/\n1 entity rolled back; entry \d+ in the history\n$/)
    expect(out + done.out).not.toMatch(/file|install/)
  })

  test('of an install that is not in the history is refused', async () => {
    const folder = await newShoes(env)
    const { code, json } = await runJson(['rollback', '--install', '999'], folder, { env })
    expect([code, json]).toEqual([1, { error: expect.any(String), status: 404, validations: [] }])
  })

  test('of a plugin that is not installed is refused', async () => {
    const { code, err } = await run(['rollback', 'com.example.nope'], '/', { env })
    expect([code, err]).toEqual([1, expect.stringContaining('com.example.nope')])
  })
})
