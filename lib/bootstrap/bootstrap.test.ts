import { sql } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { currentActor } from '@/lib/auth/load-actor'
import { verifyPassword } from '@/lib/auth/password'
import { apiKeys, users } from '@/lib/db/schema'
import { type Db, rows } from '@/lib/db/sql'
import { testDeps } from '@/lib/testing/deps'
import { bootstrap, createFirstAdministrator, isSetUp } from './create-first-administrator'

const ADMIN = { ADMIN_EMAIL: 'ann@example.com', ADMIN_PASSWORD: 'correct horse' }
const KEY = 'eng_0123456789abcdef0123456789abcdef'

describe('at start-up', () => {
  test('the first administrator is made of the environment, with a key that works', async () => {
    const deps = await testDeps({ ...ADMIN, BOOTSTRAP_API_KEY: KEY })
    await bootstrap(deps)
    const [user] = await deps.db.select().from(users)
    expect(user).toMatchObject({ email: 'ann@example.com', roles: ['ADMIN'], status: 'ACTIVATED' })
    expect(await verifyPassword(user?.passwordHash ?? '', 'correct horse')).toBe(true)
    const request = new Request('http://test.local/', { headers: { 'X-Engine-ApiKey': KEY } })
    expect(await currentActor(request, deps)).toMatchObject({ userId: user?.id, scopes: null })
  })

  test('neither password nor key is stored in clear', async () => {
    const deps = await testDeps({ ...ADMIN, BOOTSTRAP_API_KEY: KEY })
    await bootstrap(deps)
    const [stored] = await rows<{ text: string }>(
      deps.db,
      sql`select concat((select json_agg(u) from engine.users u), (select json_agg(k) from engine.api_keys k), (select json_agg(a) from engine.audit_log a)) as text`,
    )
    expect(stored?.text).not.toContain('correct horse')
    expect(stored?.text).not.toContain(KEY)
  })

  test('the settings have no effect once there is an administrator, a disabled one included', async () => {
    const deps = await testDeps({ ...ADMIN, BOOTSTRAP_API_KEY: KEY })
    const other = { email: 'bob@example.com', roles: ['Admin'], status: 'DISABLED' as const }
    await deps.db.insert(users).values(other)
    await bootstrap(deps)
    expect(await deps.db.select().from(users)).toHaveLength(1)
    expect(await deps.db.select().from(apiKeys)).toHaveLength(0)
  })

  test('of many instances that start together, one creates the administrator', async () => {
    const deps = await testDeps()
    const attempts = Array.from({ length: 6 }, (_, n) =>
      createFirstAdministrator(deps, { email: `a${n}@example.com`, password: 'correct horse' }),
    )
    const made = (await Promise.all(attempts)).filter((id) => id !== null)
    expect(made).toHaveLength(1)
    expect(await deps.db.select().from(users)).toHaveLength(1)
  })

  test('whether there is an administrator is asked until there is one', async () => {
    const deps = await testDeps()
    const { db } = deps
    expect(await isSetUp(db)).toBe(false)
    await createFirstAdministrator(deps, { email: 'ann@example.com', password: 'correct horse' })
    const all = await counting(db, () => isSetUp(db))
    expect(all).toEqual({ response: true, statements: 1 })
    expect(await counting(db, () => isSetUp(db))).toEqual({ response: true, statements: 0 })
  })

  test.each<Record<string, string>>([
    { ADMIN_EMAIL: 'ann@example.com' },
    { ADMIN_PASSWORD: 'correct horse' },
    { BOOTSTRAP_API_KEY: KEY },
  ])('half of a first administrator is refused: %j', async (settings) => {
    await expect(bootstrap(await testDeps(settings))).rejects.toThrow('set both ADMIN_EMAIL and')
  })

  test('an email that an ordinary user has is refused', async () => {
    const deps = await testDeps(ADMIN)
    await deps.db
      .insert(users)
      .values({ email: 'Ann@Example.com', roles: ['VIEWER'], status: 'ACTIVATED' })
    await expect(bootstrap(deps)).rejects.toThrow('ADMIN_EMAIL belongs to a user who is not')
  })

  test('without settings no user is created', async () => {
    const deps = await testDeps()
    await bootstrap(deps)
    expect(await deps.db.select().from(users)).toHaveLength(0)
  })
})

async function counting<T>(db: Db, work: () => Promise<T>) {
  const prepare = vi.spyOn(db._.session, 'prepareQuery')
  const response = await work()
  const statements = prepare.mock.calls.length
  prepare.mockRestore()
  return { response, statements }
}
