import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { DELETE as REMOVE } from '@/app/api/publishers/[id]/route'
import { installs, plugins, publishers } from '@/lib/db/schema'
import { archiveOf } from '@/lib/testing/archive'
import { freshDeps } from '@/lib/testing/deps'
import { call } from '@/lib/testing/request'
import { newKey, signedFiles } from '@/lib/testing/signed-archive'
import { sealed, sealOf } from '../../testing/sealed-plans'
import { acme, outcome, setPolicy, shop, signedShop, trust } from '../../testing/signed-shop'

const deps = freshDeps()
const DRY = '?dryRun=true'
const SIGNATURE = 'engineplugin.minisig'
const send = (files: Record<string, unknown> | Uint8Array, query = '') =>
  outcome(deps, files, query)
const expire = () => deps.db.update(publishers).set({ expiresAt: new Date('2001-01-01') })
const signerNow = async () => {
  const [found] = await deps.db.select().from(plugins).where(eq(plugins.id, 'com.example.shop'))
  return found?.signer ?? null
}

describe('with PLUGIN_SIGNATURES=require', () => {
  let keyId: string
  beforeEach(async () => {
    setPolicy(deps, 'require')
    keyId = (await trust(deps)).keyId
  })

  test('an archive of a trusted publisher is planned and installed, and says whose it is', async () => {
    const signature = { state: 'valid', publisher: 'Acme', keyId }
    const { plan } = await send(await signedShop(), DRY)
    expect(plan.signature).toEqual(signature)
    const { status, history } = await send(await signedShop())
    expect([status, history.signature]).toEqual([200, signature])
    expect(await signerNow()).toEqual({ publisher: 'Acme', keyId, publicKey: acme.publicKey })
  })

  const text = async () => String((await signedShop())[SIGNATURE])
  const withSignature = async (changed: string) => ({ ...shop(), [SIGNATURE]: changed })

  test.each<[string, () => Promise<Record<string, unknown>>, number, string | undefined, RegExp]>([
    ['unsigned', async () => shop(), 403, 'none', /not signed.*trusted publishers only/],
    [
      'forged',
      async () => signedFiles(shop(), newKey(acme.secret.keyId)),
      400,
      'invalid',
      /forged/,
    ],
    ['of another key', async () => signedFiles(shop(), newKey()), 403, 'unknown', /not trusted/],
    ['truncated', async () => withSignature((await text()).slice(0, 150)), 400, undefined, /trunc/],
    ['continued', async () => withSignature(`${await text()}x`), 400, undefined, /follows/],
    [
      'with a swapped file',
      async () => ({ ...(await signedShop()), 'Shoe/data.json': [{ id: 2 }] }),
      ...([400, 'invalid', /does not fit its files/] as const),
    ],
    [
      'with a file more',
      async () => ({ ...(await signedShop()), 'Shoe/more.json': [{ id: 2 }] }),
      ...([400, 'invalid', /does not fit its files/] as const),
    ],
    [
      'with the signature of another version',
      async () => ({ ...shop('1.0.1'), [SIGNATURE]: await text() }),
      ...([400, 'invalid', /does not fit its files/] as const),
    ],
  ])('%s: is refused with its reason, in the plan too', async (_, files, status, code, reason) => {
    for (const query of [DRY, '']) {
      const refused = await send(await files(), query)
      expect([refused.status, refused.meta?.signature]).toEqual([status, code])
      expect(refused.error).toMatch(reason)
    }
    const [entry] = await deps.db.select().from(installs)
    expect(entry).toMatchObject({ status: 'FAILED', errors: [expect.stringMatching(reason)] })
    expect(await signerNow()).toBeNull()
  })

  test('an expired trust is refused, and a removed one', async () => {
    await expire()
    const expired = await send(await signedShop())
    expect([expired.status, expired.meta]).toEqual([403, { signature: 'expired' }])
    expect(expired.error).toContain('"Acme", whose trust has expired')
    const [{ id } = { id: '' }] = await deps.db.select().from(publishers)
    const path = `/api/publishers/${id}`
    await call(deps, REMOVE, { method: 'DELETE', path, params: { id }, as: 'ADMIN' })
    expect((await send(await signedShop())).meta).toEqual({ signature: 'unknown' })
  })

  test('an older version with a signature is not installed again', async () => {
    await send(await signedShop('2.0.0'))
    for (const query of [DRY, '']) {
      const replayed = await send(await signedShop('1.0.0'), query)
      expect([replayed.status, replayed.meta]).toEqual([409, { signature: 'older' }])
      expect(replayed.error).toMatch(/1\.0\.0 is older.*2\.0\.0.*Roll back/)
    }
    expect((await send(await signedShop(null))).meta).toEqual({ signature: 'older' })
    expect((await send(await signedShop('2.0.0'))).status).toBe(200)
    expect((await send(await signedShop('2.1.0'))).status).toBe(200)
  })
})

describe('with PLUGIN_SIGNATURES=warn', () => {
  beforeEach(() => setPolicy(deps, 'warn'))

  test.each<[string, () => Promise<Record<string, unknown>>, RegExp]>([
    ['unsigned', async () => shop(), /is not signed/],
    ['unknown', async () => signedShop(), /key [0-9A-F]{16}, which is not trusted/],
  ])('an %s archive is installed, and plan and history say so', async (state, files, warning) => {
    const said = {
      state: state === 'unsigned' ? 'none' : state,
      warning: expect.stringMatching(warning),
    }
    expect((await send(await files(), DRY)).plan.signature).toMatchObject(said)
    const { status, history } = await send(await files())
    expect([status, history.signature]).toEqual([200, expect.objectContaining(said)])
  })

  test('an expired trust is a warning, a forged signature a refusal', async () => {
    await trust(deps)
    const forged = await send(await signedFiles(shop(), newKey(acme.secret.keyId)))
    expect([forged.status, forged.meta]).toEqual([400, { signature: 'invalid' }])
    await expire()
    const { status, history } = await send(await signedShop())
    expect([status, history.signature]).toMatchObject([
      200,
      { state: 'expired', publisher: 'Acme', warning: expect.stringContaining('expired') },
    ])
  })

  test('an older version is a downgrade in the plan', async () => {
    await trust(deps)
    await send(await signedShop('2.0.0'))
    const { status, plan } = await send(await signedShop('1.0.0'), DRY)
    expect([status, plan.isDowngrade]).toEqual([200, true])
  })
})

describe('without a policy', () => {
  test('a signature is shown, and not needed', async () => {
    const { history } = await send(shop())
    expect(history.signature).toEqual({ state: 'none', publisher: null, keyId: null })
    const signed = await send(await signedShop('1.1.0'))
    expect(signed.history.signature).toMatchObject({ state: 'unknown', publisher: null })
    expect(signed.history.signature).not.toHaveProperty('warning')
    await trust(deps)
    const trusted = await send(await signedShop('1.2.0'))
    expect(trusted.history.signature).toMatchObject({ state: 'valid', publisher: 'Acme' })
  })

  test('one that does not fit its files is refused', async () => {
    await trust(deps)
    const swapped = { ...(await signedShop()), 'Shoe/data.json': [] }
    expect((await send(swapped)).meta).toEqual({ signature: 'invalid' })
  })
})

test('a seal covers the trust in the signature', async () => {
  const { id } = await trust(deps)
  // One archive: those that are packed again may have another time.
  const files = await archiveOf(await signedShop())
  const seal = await sealOf(files)
  const path = `/api/publishers/${id}`
  await call(deps, REMOVE, { method: 'DELETE', path, params: { id }, as: 'ADMIN' })
  const broken = await send(files, sealed(seal))
  expect([broken.status, broken.error]).toEqual([
    409,
    expect.stringContaining('trust in its signature'),
  ])
  expect((await send(files, sealed(await sealOf(files)))).status).toBe(200)
})
