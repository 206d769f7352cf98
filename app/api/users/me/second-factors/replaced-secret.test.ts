import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as records from '@/app/api/entities/[entityName]/route'
import { POST as SEARCH } from '@/app/api/entities/[entityName]/search/route'
import { GET as CHECKS } from '@/app/api/server/checks/route'
import { totpFactors } from '@/lib/db/schema'
import { countOutdated, encryptAgain } from '@/lib/secrets/encrypt-again'
import { Browser } from '@/lib/testing/browser'
import { testsOfCore } from '@/lib/testing/deps'
import { installTestEntity } from '@/lib/testing/entity'
import { call, testKey } from '@/lib/testing/request'
import {
  ANN,
  addTotp,
  addUser,
  codeOf,
  deps,
  nextCode,
  PASSWORD,
  signedIn,
  signInWith,
  statusOf,
} from '../testing/second-factor'

const NEW = 'the next secret of the app, of 32 characters'

/** As a start with `NEXTAUTH_SECRET_PREVIOUS`. */
const replaceSecret = () => {
  deps.secret = { current: NEW, previous: deps.secret.current }
}
/** As the start without it. */
const removePrevious = () => {
  deps.secret = { current: NEW, previous: null }
}

/** What the checks of the server say of its secret. */
const secretCheck = async () => {
  const { body } = await call(deps, CHECKS, { path: '/api/server/checks', as: 'ADMIN' })
  return body.data.find(({ name }: { name: string }) => name === 'secret')
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  return addUser()
})
afterEach(() => {
  vi.useRealTimers()
})

test('sessions go on, and a cookie that was renewed outlives the former secret', async () => {
  const [renewed, other] = [await signedIn(), await signedIn()]
  replaceSecret()
  expect(await statusOf(renewed)).toBe(200)
  expect(await renewed.session()).toMatchObject({ user: { email: ANN } })
  removePrevious()
  expect(await statusOf(renewed)).toBe(200)
  expect(await statusOf(other)).toBe(401)
})

test('a session of another secret is refused', async () => {
  const browser = await signedIn()
  deps.secret = { current: NEW, previous: 'another secret of the app, 32 characters' }
  expect(await statusOf(browser)).toBe(401)
})

test('sign-ins know the browser from before', async () => {
  const browser = await signedIn()
  replaceSecret()
  await browser.signOut()
  await browser.signIn(ANN, PASSWORD)
  const letters = await deps.db.execute('select template from engine.mails')
  expect(JSON.stringify(letters)).not.toContain('new-device')
})

test('stored values are read, and encrypted again until none needs the former secret', async () => {
  const { secret } = await addTotp(await signedIn())
  expect(await countOutdated(deps)).toBe(0)
  const [before] = await deps.db.select().from(totpFactors)
  replaceSecret()
  nextCode()
  expect((await signInWith(codeOf(secret))).status).toBe(200)
  const waiting = await countOutdated(deps)
  expect(waiting).toBeGreaterThan(0)

  const rounds = await Promise.all([encryptAgain(deps), encryptAgain(deps)])
  expect(Math.max(...rounds)).toBe(waiting)
  expect(await countOutdated(deps)).toBe(0)
  expect(await encryptAgain(deps)).toBe(0)
  const [after] = await deps.db.select().from(totpFactors)
  expect(after?.secret).not.toBe(before?.secret)

  removePrevious()
  nextCode()
  expect((await signInWith(codeOf(secret))).status).toBe(200)
})

test('checks say when the former secret can go, without a warning', async () => {
  await addTotp(await signedIn())
  replaceSecret()
  const waiting = `${await countOutdated(deps)} stored values still need`
  expect(await secretCheck()).toMatchObject({
    status: 'ok',
    finding: expect.stringContaining(waiting),
  })
  await encryptAgain(deps)
  expect(await secretCheck()).toMatchObject({
    status: 'ok',
    finding: expect.stringMatching(/seven days.+remove NEXTAUTH_SECRET_PREVIOUS/i),
  })
  removePrevious()
  expect(await secretCheck()).toMatchObject({ status: 'ok', finding: 'One secret is in use.' })
})

test('what neither secret reads stays as it is', async () => {
  await addTotp(await signedIn())
  const [before] = await deps.db.select().from(totpFactors)
  deps.secret = { current: NEW, previous: 'another secret of the app, 32 characters' }
  expect([await countOutdated(deps), await encryptAgain(deps)]).toEqual([0, 0])
  expect(await deps.db.select().from(totpFactors)).toEqual([before])
})

test('cursors go on', async () => {
  await installTestEntity(deps, { entity: { name: 'Order' } }, [{ n: 1 }, { n: 2 }])
  const params = { entityName: 'Order' }
  const page = (cursor?: string) =>
    call(deps, SEARCH, {
      ...{ method: 'POST', path: '/api/entities/Order/search', params, as: 'ADMIN' },
      body: { pagination: { size: 1, ...(cursor ? { cursor } : {}) } },
    })
  const first = await page()
  replaceSecret()
  const second = await page(first.body.pagination.next)
  expect(second.body.data).toMatchObject([{ n: 2 }])
  removePrevious()
  expect((await page(first.body.pagination.next)).status).toBe(400)
})

test.skipIf(testsOfCore())('a request is not done twice', async () => {
  await installTestEntity(deps, { entity: { name: 'Order' } })
  const authorization = `Bearer ${await testKey(deps, ['ADMIN'])}`
  const create = (n: number) =>
    call(deps, records.POST, {
      ...{ method: 'POST', path: '/api/entities/Order', params: { entityName: 'Order' } },
      ...{ headers: { authorization, 'idempotency-key': 'a key' }, body: { n } },
    })
  const first = await create(1)
  replaceSecret()
  const again = await create(1)
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect((await create(2)).status).toBe(409)
  const stored = await deps.db.execute('select count(*)::int as count from entities."order"')
  expect(JSON.stringify(stored)).toContain('"count":1')
})

test('a new browser signs in with the new secret alone', async () => {
  removePrevious()
  const browser = new Browser(deps)
  expect((await browser.signIn(ANN, PASSWORD)).status).toBe(200)
  expect(await statusOf(browser)).toBe(200)
})
