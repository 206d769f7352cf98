import { eq } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { POST as ROLL_BACK } from '@/app/api/plugins/history/[id]/rollback/route'
import {
  addTotp,
  addUser,
  codeOf,
  confirm,
  deps,
  nextCode,
  signedIn,
} from '@/app/api/users/me/testing/second-factor'
import { auditLog, plugins } from '@/lib/db/schema'
import { archiveOf, uploadOf } from '@/lib/testing/archive'
import type { Browser } from '@/lib/testing/browser'
import { call } from '@/lib/testing/request'
import { newKey, signedFiles } from '@/lib/testing/signed-archive'
import { historyOf, upload } from '../../testing/plugin-api'
import { other, outcome, setPolicy, shop, signedShop, trust } from '../../testing/signed-shop'
import { POST } from './route'

const ACCEPT = '?acceptKey=true'
const send = (files: Record<string, unknown>, query = '') => outcome(deps, files, query)
const refused = { status: 409, meta: { signature: 'other-key' } }
const signer = async () => {
  const [found] = await deps.db.select().from(plugins).where(eq(plugins.id, 'com.example.shop'))
  return found?.signer?.publisher ?? null
}
const sendFrom = async (browser: Browser, files: Record<string, unknown>, query = ACCEPT) => {
  const body = uploadOf(await archiveOf(files))
  return browser.call(POST, { method: 'POST', path: `/api/plugins/install/zip${query}`, body })
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await trust(deps)
  await send(await signedShop('1.0.0'))
})
afterEach(() => void vi.useRealTimers())

describe('a plugin of a publisher', () => {
  test.each(['off', 'warn'] as const)('keeps its key, whatever comes, with %s', async (policy) => {
    setPolicy(deps, policy)
    await trust(deps, other, 'Other')
    const byOther = await send(await signedShop('1.1.0', other))
    expect(byOther).toMatchObject(refused)
    expect(byOther.error).toMatch(/of "Acme", while this archive .* of "Other"/)
    expect(await send(await signedShop('1.1.0', newKey()))).toMatchObject(refused)
    const unsigned = await send(shop('1.1.0'))
    expect(unsigned).toMatchObject(refused)
    expect(unsigned.error).toContain('is not signed')
    expect(await send(shop('1.1.0'), '?dryRun=true')).toMatchObject(refused)
    expect(await signer()).toBe('Acme')
    expect((await send(await signedShop('1.1.0'))).status).toBe(200)
  })

  test('is not taken over by a key of the same number', async () => {
    const { secret } = newKey()
    const { meta } = await send(await signedFiles(shop('1.1.0'), { secret }))
    expect(meta).toEqual({ signature: 'other-key' })
  })

  test('is planned with another key by who may install it', async () => {
    const { status, plan } = await send(shop('1.1.0'), `${ACCEPT}&dryRun=true`)
    expect([status, plan.signature]).toEqual([
      200,
      { state: 'none', publisher: null, keyId: null, accepted: true },
    ])
  })

  test('has its key back after a rollback', async () => {
    await addUser()
    const browser = await signedIn()
    const { secret } = await addTotp(browser)
    nextCode()
    await confirm(browser, { code: codeOf(secret) })
    const { body } = await sendFrom(browser, shop('1.1.0'))
    expect(await signer()).toBeNull()
    const id = String(body.data.history)
    const path = `/api/plugins/history/${id}/rollback`
    const back = await call(deps, ROLL_BACK, { method: 'POST', path, params: { id }, as: 'ADMIN' })
    expect([back.status, await signer()]).toEqual([200, 'Acme'])
  })
})

describe('another key', () => {
  const changed = async () => {
    await trust(deps, other, 'Other')
    return signedShop('1.1.0', other)
  }

  test('is accepted by an administrator with a second factor, for this install alone', async () => {
    await addUser()
    const browser = await signedIn()
    const files = await changed()
    const before = await sendFrom(browser, files)
    expect([before.status, before.body.meta]).toEqual([403, { confirmation: 'factor' }])
    const { secret } = await addTotp(browser)
    expect((await sendFrom(browser, files)).status).toBe(403)
    nextCode()
    await confirm(browser, { code: codeOf(secret) })
    expect((await sendFrom(browser, files, '')).status).toBe(409)
    const { status, body } = await sendFrom(browser, files)
    expect([status, await signer()]).toEqual([200, 'Other'])
    expect((await historyOf(deps, body.data.history)).signature).toMatchObject({
      ...{ state: 'valid', publisher: 'Other', accepted: true },
    })
    const audited = await deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, 'com.example.shop'))
    expect(audited.at(-1)?.details).toMatchObject({ acceptedKey: expect.any(String) })
    expect((await send(await signedShop('1.2.0'))).meta).toEqual({ signature: 'other-key' })
  })

  test('is not accepted by a password, nor later than ten minutes after the code', async () => {
    await addUser()
    const browser = await signedIn()
    const { secret } = await addTotp(browser)
    nextCode()
    await confirm(browser, { code: codeOf(secret) })
    await deps.db.execute(
      `update engine.sessions set factor_confirmed_at = now() - interval '10 minutes'`,
    )
    await confirm(browser)
    expect((await sendFrom(browser, await changed())).status).toBe(403)
  })

  test('is not accepted by an API key, nor by who is no administrator', async () => {
    const files = await changed()
    expect((await upload(deps, files, { query: ACCEPT })).status).toBe(403)
    expect((await upload(deps, files, { query: ACCEPT, as: 'EDITOR' })).status).toBe(403)
    expect(await signer()).toBe('Acme')
  })

  test('does not replace a signature that require asks for', async () => {
    setPolicy(deps, 'require')
    await addUser()
    const browser = await signedIn()
    const { secret } = await addTotp(browser)
    nextCode()
    await confirm(browser, { code: codeOf(secret) })
    const { status, body } = await sendFrom(browser, shop('1.1.0'))
    expect([status, body.meta]).toEqual([403, { signature: 'none' }])
  })
})
