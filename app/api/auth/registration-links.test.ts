import { eq } from 'drizzle-orm'
import { EncryptJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { deriveKey, type KeyPurpose } from '@/lib/crypto/derive-key'
import { authChallenges, mails, roles, users } from '@/lib/db/schema'
import { parseEnv } from '@/lib/env'
import { warnOfMissingRole } from '@/lib/registration/registration-role'
import { Browser } from '@/lib/testing/browser'
import { readInbox } from '@/lib/testing/inbox'
import { sweepExpired } from '@/lib/users/sweep-expired'
import {
  ANN,
  addAdministrator,
  ask,
  confirm,
  DOMAIN,
  deps,
  OPEN,
  templates,
  tokenFor,
  userOf,
} from './testing/registrations'

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await addAdministrator()
})
afterEach(() => void vi.useRealTimers())

const use = (settings: Parameters<typeof parseEnv>[0]) => {
  deps.settings = { ...deps.settings, ...pick(parseEnv(settings)) }
}
const pick = ({ REGISTRATION, REGISTRATION_ROLE }: ReturnType<typeof parseEnv>) => ({
  REGISTRATION,
  REGISTRATION_ROLE,
})
const VOID = { status: 400, body: { validations: [{ field: 'token' }] } }
const HOUR_MS = 60 * 60_000

describe('the link of a registration', () => {
  test('works once, however many use it at a time', async () => {
    const token = await tokenFor(ANN)
    const all = await Promise.all([1, 2, 3, 4, 5].map(() => confirm(token)))
    expect(all.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400])
    expect(await confirm(token)).toMatchObject(VOID)
    await deps.db.delete(users).where(eq(users.email, ANN))
    expect(await confirm(token)).toMatchObject(VOID)
    expect(await userOf(ANN)).toBeUndefined()
  })

  test('stays used as long as it would live', async () => {
    const token = await tokenFor(ANN)
    await confirm(token)
    const [spent] = await deps.db.select().from(authChallenges)
    expect(spent?.expiresAt.getTime()).toBeGreaterThan(Date.now() + 23.9 * HOUR_MS)
  })

  test('is one of several that make one user', async () => {
    const tokens = [await tokenFor(ANN), await tokenFor('ANN@example.com'), await tokenFor(ANN)]
    expect(new Set(tokens).size).toBe(3)
    const all = await Promise.all(tokens.map((token) => confirm(token)))
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    const late = await confirm(tokens[all.findIndex(({ status }) => status === 409)] ?? '')
    expect([late.status, late.body.error]).toEqual([409, expect.stringContaining('already exists')])
    const made = (await deps.db.select().from(users)).filter(({ email }) => /^ann@/i.test(email))
    expect(made).toHaveLength(1)
  })

  test('is refused for an address that was invited meanwhile, whose password stays', async () => {
    const token = await tokenFor(ANN)
    await deps.db.insert(users).values({
      email: 'Ann@example.com',
      passwordHash: 'x',
      roles: ['X'],
      status: 'REQUIRED_ACTIVATION',
    })
    expect((await confirm(token)).status).toBe(409)
    expect(await userOf('Ann@example.com')).toMatchObject({
      ...{ passwordHash: 'x', roles: ['X'], status: 'REQUIRED_ACTIVATION' },
    })
  })

  test('expires after a day', async () => {
    const [early, late] = [await tokenFor(ANN), await tokenFor('bob@example.com')]
    vi.setSystemTime(Date.now() + 23.9 * HOUR_MS)
    expect((await confirm(early)).status).toBe(201)
    vi.setSystemTime(Date.now() + 0.2 * HOUR_MS)
    expect(await confirm(late)).toMatchObject(VOID)
    expect(await userOf('bob@example.com')).toBeUndefined()
  })

  test('can’t be altered, forged, or be another secret of the server', async () => {
    const token = await tokenFor(ANN)
    const altered = [...token.matchAll(/[\w-]+/g)].map(({ index, 0: part }) => {
      const at = index + Math.floor(part.length / 2)
      return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
    })
    const content = { id: crypto.randomUUID(), email: ANN }
    const seal = (key: Uint8Array) =>
      new EncryptJWT(content)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime('1h')
        .encrypt(key)
    const purposes: KeyPurpose[] = ['session', 'oidc', 'device']
    const others = await Promise.all(
      purposes.map((purpose) => seal(deriveKey(deps.secret, purpose))),
    )
    const unsigned = `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(content))}.`
    const foreign = await seal(new Uint8Array(32))
    for (const wrong of [
      ...altered,
      ...others,
      foreign,
      unsigned,
      'x',
      `${token}x`,
      token.slice(1),
    ])
      expect(await confirm(wrong), wrong).toMatchObject(VOID)
    expect(await confirm('x'.repeat(1025))).toMatchObject(VOID)
    expect((await confirm(token)).status).toBe(201)
  })

  test('outlives a change of the secret, with the former one', async () => {
    const token = await tokenFor(ANN)
    deps.secret = { current: 'another secret of 32 characters', previous: deps.secret.current }
    expect((await confirm(token)).status).toBe(201)
  })

  test('keeps its address, role and profile, whatever is sent beside it', async () => {
    const token = await tokenFor(ANN)
    for (const more of [{ email: 'eve@example.com' }, { roles: ['ADMIN'] }, { profile: { a: 1 } }])
      expect((await confirm(token, more)).status).toBe(400)
    expect((await confirm(token, { password: 'password' })).status).toBe(400)
    expect((await confirm(token)).status).toBe(201)
  })

  test('of the longest address works', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`
    expect((await confirm(await tokenFor(email))).status).toBe(201)
    expect(await userOf(email)).toMatchObject({ status: 'ACTIVATED' })
  })

  test('is refused once registration is off, for those who are invited, or for other domains', async () => {
    const token = await tokenFor(ANN)
    const others = { ...DOMAIN, REGISTRATION: 'domain:partner.example' }
    for (const settings of [{}, { REGISTRATION: 'invited' }, others]) {
      use(settings)
      expect((await confirm(token)).status).toBe(403)
    }
    use(DOMAIN)
    expect((await confirm(token)).status).toBe(201)
  })

  test('waits for a role that is gone', async () => {
    const REGISTRATION_ROLE = 'Clerk'
    use({ ...OPEN, REGISTRATION_ROLE })
    const token = await tokenFor(ANN)
    const warn = vi.spyOn(deps.log, 'warn')
    await warnOfMissingRole(deps)
    expect(warn.mock.calls).toEqual([
      [{ role: 'Clerk' }, expect.stringContaining('REGISTRATION_ROLE')],
    ])
    const refused = await confirm(token)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      expect.stringContaining('at the moment'),
    ])
    expect(await userOf(ANN)).toBeUndefined()
    await deps.db.insert(roles).values({ name: 'clerk', definition: { name: 'clerk' } as never })
    await warnOfMissingRole(deps)
    expect(warn).toHaveBeenCalledTimes(1)
    expect((await confirm(token)).status).toBe(201)
    expect(await userOf(ANN)).toMatchObject({ roles: ['clerk'] })
  })

  test('is tried no more often than one network may', async () => {
    const at = (address: string) => new Browser(deps, { address })
    for (let n = 0; n < 60; n++) await confirm('x', {}, at('192.0.2.7'))
    const token = await tokenFor(ANN)
    expect((await confirm(token, {}, at('192.0.2.7'))).status).toBe(429)
    expect((await confirm(token, {}, at('192.0.2.8'))).status).toBe(201)
  })

  test('comes to a mailbox though others ask for variants of its address', async () => {
    for (let n = 0; n < 4; n++) {
      const { status } = await ask(`${n % 2 ? 'Ann' : 'ann'}+${n}@example.com`)
      expect(status).toBe(n < 3 ? 200 : 429)
    }
    expect((await confirm(await tokenFor(ANN))).status).toBe(201)
    for (const name of ['+bob', '+eve']) expect((await ask(`${name}@example.com`)).status).toBe(200)
  })

  test('comes to one mailbox six times a day at most', async () => {
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) {
      statuses.push((await ask(`ann+${n}@example.com`)).status)
      if (n % 3 === 2) vi.setSystemTime(Date.now() + 1.1 * HOUR_MS)
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
    expect(await templates()).toHaveLength(6)
  })

  test('is kept for a week with its mail, which alone would fill the outbox', async () => {
    const aged = { createdAt: new Date(Date.now() - 8 * 24 * HOUR_MS) }
    await ask('root@example.com')
    await ask(ANN)
    await deps.db.update(mails).set(aged)
    await ask('bob@example.com')
    await sweepExpired(deps)
    const kept = (await readInbox(deps)).map(({ to }) => to)
    expect(kept.sort()).toEqual(['bob@example.com', 'root@example.com'])
  })
})
