import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { auditLog, mails } from '@/lib/db/schema'
import type { Retained } from '@/lib/retention/contract'
import { sweepOld } from '@/lib/retention/sweep-old'
import { freshDeps, testDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { GET } from './route'

const deps = freshDeps()
const NOW = Date.now()
const daysAgo = (days: number) => new Date(NOW - days * 86_400_000)

async function read(): Promise<Map<string, Retained>> {
  const { status, body } = await call(deps, GET, { path: '/api/server/retention', as: 'ADMIN' })
  expect(status).toBe(200)
  return new Map(body.data.map((kept: Retained) => [kept.name, kept]))
}

async function audited(days: number): Promise<void> {
  const entry = { actorType: 'system', action: 'records.delete', objectType: 'entity' } as const
  await deps.db.insert(auditLog).values({ ...entry, at: daysAgo(days) })
}

async function mailed(days: number, status: 'sent' | 'queued'): Promise<void> {
  const mail = { to: 'ada@example.com', template: 'invitation', subject: 'Come', status } as const
  const at = daysAgo(days)
  await deps.db
    .insert(mails)
    .values({ ...mail, id: crypto.randomUUID(), giveUpAt: at, createdAt: at })
}

test('what is kept is listed with its rule, its number, its size and its oldest entry', async () => {
  for (const days of [1, 40, 400]) await audited(days)
  const all = await read()
  expect(all.get('audit')).toMatchObject({
    ...{ kept: 'Indefinitely', settings: ['AUDIT_DAYS'], entries: 3, isEstimate: false },
    oldestAt: daysAgo(400).toISOString(),
  })
  expect(all.get('audit')?.bytes).toBeGreaterThan(8_000)
  expect(all.get('mails')).toMatchObject({ entries: 0, oldestAt: null })
  await testDeps({ AUDIT_DAYS: '1', MAIL_DAYS: '90' })
  const limited = await read()
  expect(limited.get('audit')?.kept).toBe('1 day')
  expect(limited.get('mails')?.kept).toMatch(/^90 days/)
})

test('the audit log and mails are kept indefinitely, or for the days of their settings', async () => {
  const fill = async () => {
    for (const days of [9, 11]) {
      await audited(days)
      await mailed(days, 'sent')
    }
    await mailed(11, 'queued')
  }
  await fill()
  expect(await sweepOld(deps)).toBe(0)
  await testDeps({ AUDIT_DAYS: '10', MAIL_DAYS: '10' })
  await fill()
  expect(await sweepOld(deps)).toBe(2)
  const all = await read()
  expect(all.get('audit')).toMatchObject({ entries: 1, oldestAt: daysAgo(9).toISOString() })
  expect(all.get('mails')).toMatchObject({ entries: 2, oldestAt: daysAgo(11).toISOString() })
})

test('many entries are estimated by the statistics of the database', async () => {
  await deps.db.execute(sql`insert into ${auditLog} (created_at, actor_type, action, object_type)
    select now() - make_interval(secs => n), 'system', 'records.delete', 'entity' from generate_series(1, 120000) as n`)
  await deps.db.execute(sql`analyze ${auditLog}`)
  const audit = (await read()).get('audit')
  expect(audit).toMatchObject({ isEstimate: true })
  expect(audit?.entries).toBeGreaterThan(115_000)
  expect(Date.parse(audit?.oldestAt ?? '')).toBeLessThan(Date.now() - 119_000_000)
})
