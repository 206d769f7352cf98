import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { newShoes, run, runJson } from '../testing/cli'
import { runningEngine } from '../testing/engine'

const { deps, env } = runningEngine()

const installedShoes = () => newShoes(env)

describe('uninstall', () => {
  test('with --plan says what would go, and changes nothing', async () => {
    const folder = await installedShoes()
    const { code, out } = await run(['uninstall', '--plan'], folder, { env })
    expect([code, out]).toEqual([
      0,
      'uninstall  com.example.shop 1.0.0\n  Shoe: 3 records to the trash\n  schemas: Shoe\n',
    ])
    expect((await run(['drift'], folder, { env })).out).toBe('Nothing has changed\n')
  })

  test('asks for the id, and needs --yes where nobody can be asked', async () => {
    const folder = await installedShoes()
    const refused = await run(['uninstall'], folder, { env })
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--yes')])
    const asked: string[] = []
    const answering = (answer: string) => async (question: string) => {
      asked.push(question)
      return answer
    }
    const ask = answering('yes')
    expect((await run(['uninstall'], folder, { env, ask })).code).toBe(1)
    expect((await run(['drift'], folder, { env })).code).toBe(0)
    const agreed = await run(['uninstall'], folder, { env, ask: answering('com.example.shop') })
    expect(agreed.out).toContain('com.example.shop is uninstalled\n')
    expect(asked).toHaveLength(2)
    expect((await run(['drift'], folder, { env })).code).toBe(1)
  })

  test('with --yes asks nothing, and keeps the records if it is told to', async () => {
    const folder = await installedShoes()
    const { code, json } = await runJson(['uninstall', '--yes', '--records', 'keep'], folder, {
      env,
    })
    expect([code, json.records]).toEqual([0, 'keep'])
    const count = await deps.db.execute(sql`select from entities.shoe`)
    expect(count).toMatchObject({ rowCount: 3 })
  })
})
