import { sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { rows } from '@/lib/db/sql'
import { type Files, historyOf, upload } from '../../testing/plugin-api'
import { books, deps, prepare, SECOND, sealed } from '../../testing/sealed-plans'

describe('an install with the seal of its plan', () => {
  test('is refused for another archive, other options, another installer and no seal of ours', async () => {
    const seal = await prepare()
    const refusal = async (files: Files | Uint8Array, query: string) =>
      (await upload(deps, files, { query })).body.error
    const other = books([{ id: 1, title: 'Else', genre: 1 }, { id: 2 }], { maxLength: 40 })
    expect(await refusal(other, sealed(seal))).toBe(
      'The plan no longer holds: the archive is another one. Make a new plan',
    )
    expect(await refusal(SECOND, sealed(seal, '&mode=atomic'))).toBe(
      'The plan no longer holds: the option "mode" is another one. Make a new plan',
    )
    expect(
      (await upload(deps, SECOND, { query: sealed(seal), as: ['ADMIN', 'Clerk'] })).body.error,
    ).toBe('The plan no longer holds: the rights of the installer are other ones. Make a new plan')
    expect(await refusal(SECOND, '?seal=x')).toBe(
      'The plan no longer holds: the archive or the database is not the one of the plan. Make a new plan',
    )
    expect(await refusal(SECOND, '?seal=')).toMatch(/seal/)
  })
})

test('what changes while an install waits for its turn breaks the seal, and the history says so', async () => {
  const seal = await prepare()
  const started = await deps.locks.hold('plugin:com.example.shop', 0, async () => {
    const { status, body } = await upload(deps, SECOND, {
      query: sealed(seal),
      headers: { prefer: 'respond-async' },
    })
    expect(status).toBe(202)
    await deps.db.execute(sql`update entities.book set title = 'Mine'`)
    return body.data.history as number
  })
  const ended = await vi.waitUntil(async () => {
    const found = await historyOf(deps, started)
    return found.status === 'IN_PROGRESS' ? null : found
  })
  expect(ended).toMatchObject({ status: 'FAILED', totalFiles: 3, failedCount: 3 })
  expect(ended.errors).toEqual([expect.stringContaining('the records of "Book" changed')])
  expect(await rows(deps.db, sql`select title from entities.book`)).toEqual([{ title: 'Mine' }])
})
